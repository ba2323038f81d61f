/**
 * Checks the texts that companies read. A text that differs from its hash counts as unreadable. A missing text is
 * damage too.
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
import type { MetDamage } from "./met.ts";
import { missingVersion, versionProblem } from "./stored.ts";

/**
 * Versions that matched their hash. The embedded database returns the same object until the document is written again.
 */
const whole = new WeakSet<SopVersionDocument>();

/**
 * Wraps the database: lists leave out a text that differs from its hash, and a query for that text fails. Checks and
 * backups read without a company, so they get the stored data.
 */
export function withWholeTexts(db: Database<Collections>, damage: Pick<MetDamage, "note">): Database<Collections> {
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
    if (await isMissing()) damage.note(missingVersion(sopId, version), isMissing);
  }

  function wholeVersions(
    inner: Collection<SopVersionDocument>,
    store: CompanyStore<Collections> | null,
  ): Collection<SopVersionDocument> {
    return {
      ...inner,
      async find(filter, options = {}) {
        const checked = withHashed(options);
        return checked === null ? inner.find(filter, options) : (await inner.find(filter, checked)).filter(isWhole);
      },
      async findOne(filter, options = {}) {
        const checked = withHashed(options);
        const found = await inner.findOne(filter, checked ?? options);
        if (found === null && store !== null)
          await noteMissing(store, filter as unknown as Partial<SopVersionDocument>);
        if (found && checked !== null && !isWhole(found)) throw new DamagedDocumentError("sop_versions", found._id);
        return found;
      },
    };
  }

  function checkedShare(store: CompanyStore<Collections>, isSettled: boolean): CompanyStore<Collections> {
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

  // within a transaction, an SOP can name a version that isn't stored yet, so a missing version is damage only outside
  const shareOf =
    (source: Pick<Transaction<Collections>, "forCompany">, isSettled = false) =>
    (companyId: string) =>
      checkedShare(source.forCompany(companyId), isSettled);
  return {
    ...db,
    forCompany: shareOf(db, true),
    transaction: (work) => db.transaction((tx) => work({ ...tx, forCompany: shareOf(tx) })),
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

/** @returns the options with all fields that the hash covers; null if they ask for no text */
function withHashed<Options extends FindOptions<SopVersionDocument>>(options: Options): Options | null {
  const { projection, ...rest } = options;
  if (projection === undefined) return options;
  const named = Object.entries(projection);
  const isLeftOut = (field: string) => projection[field as keyof typeof projection] === 0;
  if (named.every(([, shown]) => shown === 0)) return texts.every(isLeftOut) ? null : (rest as Options);
  const asksForText = named.some(([path]) => texts.some((text) => path === text || path.startsWith(`${text}.`)));
  return asksForText ? { ...options, projection: { ...projection, ...hashed } } : null;
}
