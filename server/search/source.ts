/** Reads the sources of the index: the company's ledger, its present SOPs, and the texts of their versions. */
import type { Collections, SopDocument, SopVersionDocument } from "../database/documents.ts";
import type { Database, Projection } from "../database/port.ts";
import { viewBits, type LedgerPosition, type RowText, type SopRows, type IndexedVersionRow } from "./index-file.ts";

type IndexedSopFields = Pick<SopDocument, "_id" | "number" | "label" | "version" | "deletedAt" | "published">;

const sopFields: Projection<SopDocument> = { number: 1, label: 1, version: 1, deletedAt: 1, published: 1 };
const versionFields: Projection<SopVersionDocument> = {
  sopId: 1,
  version: 1,
  title: 1,
  description: 1,
  markdown: 1,
  frontMatter: 1,
};
/** SQLite takes at most 1,000 alternatives in one expression. */
const textsAtOnce = 200;

export interface SearchSource {
  /** Reads the position of the newest event of the ledger. */
  end(): Promise<LedgerPosition>;
  /**
   * Says whether the ledger has this event. The ledger of a restored backup can have another event with the same
   * number.
   */
  has(position: LedgerPosition): Promise<boolean>;
  /** Lists the SOPs of the events after this number, and the position of the last event read. */
  changes(after: number, limit: number): Promise<{ sopIds: string[]; position: LedgerPosition | null }>;
  /** Returns the rows that the index must have for these SOPs; no rows for a deleted SOP. */
  wanted(sopIds: readonly string[]): Promise<WantedSops>;
  /** Reads SOPs with a number above this one, in order; null after the last. */
  page(after: number, limit: number): Promise<(WantedSops & { last: number }) | null>;
  /** Reads all texts of a company with fewer SOPs than the limit; null for a larger company. */
  small(limit: number): Promise<{ texts: RowText[]; position: LedgerPosition } | null>;
  /**
   * Reads the texts of these rows. Leaves out a version that is missing or can't be read.
   * @param numbers those of the SOPs, by id
   */
  texts(rows: readonly IndexedVersionRow[], numbers: ReadonlyMap<string, string>): Promise<RowText[]>;
}

export interface WantedSops {
  wanted: SopRows[];
  /** The number of each SOP, by id. */
  numbers: ReadonlyMap<string, string>;
}

export function createSearchSource(db: Database<Collections>, companyId: string): SearchSource {
  const company = db.forCompany(companyId);
  const events = company.collection("repo_events");
  const sops = company.collection("sops");

  return {
    async small(limit) {
      // the position is read first, so that SOPs saved during the build are read again afterwards
      const position = await this.end();
      const page = await this.page(0, limit);
      if (!page) return { texts: [], position };
      if (page.wanted.length === limit) return null;
      const rows = page.wanted.flatMap(({ sopId, rows: own }) => own.map((row) => ({ sopId, ...row })));
      return { texts: rows.length === 0 ? [] : await this.texts(rows, page.numbers), position };
    },
    async end() {
      const [last] = await events.find({}, { sort: { seq: -1 }, limit: 1, projection: { seq: 1 } });
      return last ? { seq: last.seq, eventId: last._id } : { seq: -1, eventId: null };
    },
    async has({ seq, eventId }) {
      if (seq < 0) return true;
      const [event] = await events.find({ seq }, { limit: 1, projection: { seq: 1 } });
      return event?._id === eventId;
    },
    async changes(after, limit) {
      const found = await events.find(
        { seq: { $gt: after } },
        { sort: { seq: 1 }, limit, projection: { seq: 1, items: 1 } },
      );
      const last = found.at(-1);
      return {
        sopIds: [...new Set(found.flatMap(({ items }) => items.map(({ sopId }) => sopId)))],
        position: last ? { seq: last.seq, eventId: last._id } : null,
      };
    },
    async wanted(sopIds) {
      const found = await sops.find({ _id: { $in: [...sopIds] } }, { projection: sopFields });
      const { wanted, numbers } = rowsOfSops(found);
      const known = new Set(found.map(({ _id }) => _id));
      // deleted SOPs get no rows
      const gone = sopIds.filter((sopId) => !known.has(sopId)).map((sopId) => ({ sopId, rows: [] }));
      return { wanted: [...wanted, ...gone], numbers };
    },
    async page(after, limit) {
      const found = await sops.find({ number: { $gt: after } }, { sort: { number: 1 }, limit, projection: sopFields });
      const last = found.at(-1);
      return last ? { ...rowsOfSops(found), last: last.number } : null;
    },
    async texts(rows, numbers) {
      const texts: RowText[] = [];
      for (let at = 0; at < rows.length; at += textsAtOnce) {
        const batch = rows.slice(at, at + textsAtOnce);
        const seenOf = new Map(batch.map(({ sopId, version, seen }) => [`${sopId} ${version}`, seen]));
        const found = await company
          .collection("sop_versions")
          .find({ $or: batch.map(({ sopId, version }) => ({ sopId, version })) }, { projection: versionFields });
        for (const { sopId, version, title, description, markdown, frontMatter } of found) {
          const seen = seenOf.get(`${sopId} ${version}`);
          if (seen === undefined) continue;
          const { tags = [], lang = null } = frontMatter;
          const number = numbers.get(sopId) ?? "";
          texts.push({ sopId, version, seen, number, title, description, tags, lang, markdown });
        }
      }
      return texts;
    },
  };
}

function rowsOfSops(sops: readonly IndexedSopFields[]): WantedSops {
  return {
    wanted: sops.map((sop) => ({ sopId: sop._id, rows: indexedVersions(sop) })),
    numbers: new Map(sops.map(({ _id, label }) => [_id, label])),
  };
}

function indexedVersions({ deletedAt, version, published }: IndexedSopFields): SopRows["rows"] {
  if (deletedAt !== null) return [];
  if (published === null) return [{ version, seen: viewBits.latest }];
  if (published.version === version) return [{ version, seen: viewBits.latest | viewBits.published }];
  return [
    { version, seen: viewBits.latest },
    { version: published.version, seen: viewBits.published },
  ];
}
