/** Companies read their texts through this. A text that differs from its hash counts as one that can't be read. */
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
import { versionProblem } from "./stored.ts";

/** Versions that were whole. The embedded database shares a document until it is written again. */
const whole = new WeakSet<SopVersionDocument>();

/**
 * Lists leave out a text that differs from its hash, and a question for it is refused. Checks and backups read without a
 * company, so they get what is stored.
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

  function wholeVersions(inner: Collection<SopVersionDocument>): Collection<SopVersionDocument> {
    return {
      ...inner,
      async find(filter, options = {}) {
        const checked = withHashed(options);
        return checked === null ? inner.find(filter, options) : (await inner.find(filter, checked)).filter(isWhole);
      },
      async findOne(filter, options = {}) {
        const checked = withHashed(options);
        const found = await inner.findOne(filter, checked ?? options);
        if (found && checked !== null && !isWhole(found)) throw new DamagedDocumentError("sop_versions", found._id);
        return found;
      },
    };
  }

  function checkedShare(store: CompanyStore<Collections>): CompanyStore<Collections> {
    const collection: typeof store.collection = (name) => {
      const inner = store.collection(name);
      return name === "sop_versions"
        ? (wholeVersions(inner as unknown as Collection<SopVersionDocument>) as unknown as typeof inner)
        : inner;
    };
    return { companyId: store.companyId, collection };
  }

  const shareOf = (source: Pick<Transaction<Collections>, "forCompany">) => (companyId: string) =>
    checkedShare(source.forCompany(companyId));
  return {
    ...db,
    forCompany: shareOf(db),
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

/** @returns the options with all that the hash is of; null where they ask for no text */
function withHashed<Options extends FindOptions<SopVersionDocument>>(options: Options): Options | null {
  const { projection, ...rest } = options;
  if (projection === undefined) return options;
  const named = Object.entries(projection);
  const isLeftOut = (field: string) => projection[field as keyof typeof projection] === 0;
  if (named.every(([, shown]) => shown === 0)) return texts.every(isLeftOut) ? null : (rest as Options);
  const asksForText = named.some(([path]) => texts.some((text) => path === text || path.startsWith(`${text}.`)));
  return asksForText ? { ...options, projection: { ...projection, ...hashed } } : null;
}
