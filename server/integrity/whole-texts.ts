/**
 * Checks the texts that companies read. A text that differs from its hash counts as unreadable, and a missing text as
 * damage.
 */
import type { Collections, SopVersionDocument } from "../database/documents.ts";
import {
  DamagedDocumentError,
  type Collection,
  type CompanyStore,
  type Database,
  type FindOptions,
  type Projection,
  type Transaction,
} from "../database/port.ts";
import type { FoundDamage } from "./found-damage.ts";
import { missingVersionLine, versionProblem } from "./stored.ts";

/**
 * Versions that matched their hash. The embedded database returns the same object until the document is written again.
 */
const whole = new WeakSet<SopVersionDocument>();

/**
 * Wraps the database: `find` leaves out a version whose text differs from its hash, and `findOne` of that version
 * fails. Checks and backups read without a company, so they get the stored data.
 */
export function withVerifiedTexts(db: Database<Collections>, damage: Pick<FoundDamage, "note">): Database<Collections> {
  function isWhole(version: SopVersionDocument): boolean {
    if (whole.has(version)) return true;
    const problem = versionProblem(version);
    if (problem === null) whole.add(version);
    else damage.note(problem, () => isStillDamaged(version._id));
    return problem === null;
  }

  async function isStillDamaged(_id: string): Promise<boolean> {
    const stored = await db.collection("sop_versions").findOne({ _id });
    return stored !== null && versionProblem(stored) !== null;
  }

  /** Notes a missing version as damage. Versions are numbered without gaps and are never deleted. */
  async function noteMissing(store: CompanyStore<Collections>, { sopId, version }: Partial<SopVersionDocument>) {
    if (typeof sopId !== "string" || typeof version !== "number") return;
    const sop = await store.collection("sops").findOne({ _id: sopId }, { projection: { version: 1 } });
    if (sop === null || version < 1 || version > sop.version) return;
    const versions = store.collection("sop_versions");
    const isMissing = async () => (await versions.findOne({ sopId, version }, { projection: { version: 1 } })) === null;
    if (await isMissing()) damage.note(missingVersionLine(sopId, version), isMissing);
  }

  function wholeVersions(
    inner: Collection<SopVersionDocument>,
    store: CompanyStore<Collections> | null,
  ): Collection<SopVersionDocument> {
    return {
      ...inner,
      async find(filter, options = {}) {
        const checked = withHashedFields(options);
        return checked === null ? inner.find(filter, options) : (await inner.find(filter, checked)).filter(isWhole);
      },
      async findOne(filter, options = {}) {
        const checked = withHashedFields(options);
        const found = await inner.findOne(filter, checked ?? options);
        if (found === null && store !== null)
          await noteMissing(store, filter as unknown as Partial<SopVersionDocument>);
        if (found && checked !== null && !isWhole(found)) throw new DamagedDocumentError("sop_versions", found._id);
        return found;
      },
    };
  }

  function storeOfWholeTexts(store: CompanyStore<Collections>, isSettled: boolean): CompanyStore<Collections> {
    const checkedCollection: typeof store.collection = (name) => {
      const inner = store.collection(name);
      return name === "sop_versions"
        ? (wholeVersions(
            inner as unknown as Collection<SopVersionDocument>,
            isSettled ? store : null,
          ) as unknown as typeof inner)
        : inner;
    };
    return { companyId: store.companyId, collection: checkedCollection };
  }

  // within a transaction, an SOP can name a version that isn't stored yet, so only reads outside report a missing
  // version
  const wholeTextsOf =
    (source: Pick<Transaction<Collections>, "forCompany">, isSettled = false) =>
    (companyId: string) =>
      storeOfWholeTexts(source.forCompany(companyId), isSettled);
  return {
    ...db,
    forCompany: wholeTextsOf(db, true),
    transaction: (work) => db.transaction((tx) => work({ ...tx, forCompany: wholeTextsOf(tx) })),
  };
}

const texts = ["markdown", "frontMatter"] as const;
const hashed: Projection<SopVersionDocument> = {
  sopId: 1,
  version: 1,
  frontMatter: 1,
  markdown: 1,
  assetPlaces: 1,
  sopLinks: 1,
  contentHash: 1,
};

/**
 * Adds the fields that the hash covers to the options of a query.
 * @returns null if the query asks for no text
 */
function withHashedFields<Options extends FindOptions<SopVersionDocument>>(options: Options): Options | null {
  const { projection, ...rest } = options;
  if (projection === undefined) return options;
  const named = Object.entries(projection);
  const isLeftOut = (field: string) => projection[field as keyof typeof projection] === 0;
  if (named.every(([, shown]) => shown === 0)) return texts.every(isLeftOut) ? null : (rest as Options);
  const asksForText = named.some(([path]) => texts.some((text) => path === text || path.startsWith(`${text}.`)));
  return asksForText ? { ...options, projection: { ...projection, ...hashed } } : null;
}
