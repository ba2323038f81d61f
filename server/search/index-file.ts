/**
 * One company's search index: a file made from the database that can be deleted at any time. It holds no text, only which
 * words stand in which version of which SOP, and for whom: who sees heads, who sees what is in force, or both.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { analyserVersion } from "#core/search/analyse.ts";
import { columnsOf, type IndexedText } from "#core/search/columns.ts";
import { fieldWeights } from "#core/search/weights.ts";

/** Bits of a row: the version is the head, the version is in force. */
export const seenAs = { head: 1, force: 2 } as const;

/** What the index should hold of one SOP: at most a head and a version in force, one row when they are the same. */
export interface Wanted {
  sopId: string;
  rows: readonly { version: number; seen: number }[];
}

export interface WantedRow {
  sopId: string;
  version: number;
  seen: number;
}

export interface Match extends WantedRow {
  /** Higher is better. */
  score: number;
}

export type RowText = IndexedText & WantedRow;

/** How far the company's ledger is followed: the number of the last event and its id, which tells other ledgers apart. */
export interface Position {
  seq: number;
  eventId: string | null;
}

export interface IndexFile {
  position(): Position | null;
  /** Rows that are wanted and not there: their texts are needed. */
  missing(wanted: readonly Wanted[]): WantedRow[];
  /** In one transaction: what is not wanted goes, what is missing comes. */
  replace(wanted: readonly Wanted[], texts: readonly RowText[], position?: Position): void;
  /** For an index that is being made, inside one transaction from the first call to `finish`. */
  add(texts: readonly RowText[]): void;
  finish(position: Position): void;
  /** Best first. */
  best(match: string, limit: number, offset: number): Match[];
  all(match: string): WantedRow[];
  /** Some of the words and stems after this one, in their order, and in how many rows each stands. */
  wordsFrom(first: string, limit: number): { word: string; rows: number }[];
  size(): number;
  close(): void;
}

/** Raised with every change of the tables below. */
const layout = 1;
export const indexVersion = `${layout}.${analyserVersion}`;

const { title, description, body, words } = fieldWeights;
const tables = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
  CREATE TABLE rows (id INTEGER PRIMARY KEY, sop TEXT NOT NULL, version INTEGER NOT NULL, seen INTEGER NOT NULL);
  CREATE UNIQUE INDEX row ON rows (sop, version);
  CREATE VIRTUAL TABLE fts USING fts5 (
    title, descr, body, words, content = '', contentless_delete = 1, tokenize = 'ascii'
  );
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (fts, 'row');
  INSERT INTO fts (fts, rank) VALUES ('rank', 'bm25(${title}, ${description}, ${body}, ${words})');
`;

/** @throws what SQLite throws when the file is none of ours, damaged, or of another version */
export function openIndexFile(path: string): IndexFile {
  return opened(path, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", false);
}

/** An empty index, without a journal: nobody reads it before it is complete. */
export function createIndexFile(path: string): IndexFile {
  return opened(path, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000", true);
}

/** Words that come in bulk are written once, in parts as large as they can be; what comes later is merged into them. */
function setMerging(db: DatabaseSync, when: "never" | "usual"): void {
  const [automerge, hashsize] = when === "never" ? [0, 4 << 20] : [4, 1 << 20];
  db.exec(`INSERT INTO fts (fts, rank) VALUES ('automerge', ${automerge}), ('hashsize', ${hashsize})`);
}

export class WrongIndexError extends Error {
  constructor() {
    super("the search index was made by another version");
    this.name = "WrongIndexError";
  }
}

function opened(path: string, settings: string, isNew: boolean): IndexFile {
  const db = new DatabaseSync(path);
  try {
    db.exec(`${settings}; PRAGMA temp_store = MEMORY; PRAGMA busy_timeout = 1000`);
    if (isNew) {
      db.exec(tables);
      setMerging(db, "never");
      db.prepare("INSERT INTO meta VALUES ('version', ?)").run(indexVersion);
    }
    const stored = db.prepare("SELECT value FROM meta WHERE key = 'version'").get();
    if (stored?.["value"] !== indexVersion) throw new WrongIndexError();
    return over(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function over(db: DatabaseSync): IndexFile {
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string) => {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const rowsOf = (sopId: string) =>
    prepared("SELECT id, version, seen FROM rows WHERE sop = ?").all(sopId) as unknown as StoredRow[];
  const remove = (id: number) => {
    prepared("DELETE FROM fts WHERE rowid = ?").run(id);
    prepared("DELETE FROM rows WHERE id = ?").run(id);
  };

  const insert = (text: RowText) => {
    const { lastInsertRowid } = prepared("INSERT INTO rows (sop, version, seen) VALUES (?, ?, ?)").run(
      text.sopId,
      text.version,
      text.seen,
    );
    const columns = columnsOf(text);
    prepared("INSERT INTO fts (rowid, title, descr, body, words) VALUES (?, ?, ?, ?, ?)").run(
      lastInsertRowid,
      columns.title,
      columns.description,
      columns.body,
      columns.words,
    );
  };
  const settle = ({ sopId, rows }: Wanted) => {
    for (const { id, version, seen } of rowsOf(sopId)) {
      const wanted = rows.find((row) => row.version === version);
      if (!wanted) remove(id);
      else if (wanted.seen !== seen) prepared("UPDATE rows SET seen = ? WHERE id = ?").run(wanted.seen, id);
    }
  };
  const moveTo = (position: Position) =>
    prepared("INSERT OR REPLACE INTO meta VALUES ('position', ?)").run(JSON.stringify(position));

  return {
    position() {
      const row = prepared("SELECT value FROM meta WHERE key = 'position'").get();
      return row ? (JSON.parse(String(row["value"])) as Position) : null;
    },
    missing: (wanted) =>
      wanted.flatMap(({ sopId, rows }) => {
        const stored = new Set(rowsOf(sopId).map(({ version }) => version));
        return rows.filter(({ version }) => !stored.has(version)).map((row) => ({ sopId, ...row }));
      }),
    replace(wanted, texts, position) {
      db.exec("BEGIN IMMEDIATE");
      try {
        wanted.forEach(settle);
        texts.forEach(insert);
        if (position) moveTo(position);
        db.exec("COMMIT");
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        throw error;
      }
    },
    add(texts) {
      if (!db.isTransaction) db.exec("BEGIN");
      texts.forEach(insert);
    },
    finish(position) {
      moveTo(position);
      setMerging(db, "usual");
      if (db.isTransaction) db.exec("COMMIT");
    },
    best: (match, limit, offset) =>
      prepared(
        `SELECT rows.sop AS sopId, rows.version, rows.seen, -found.rank AS score
         FROM (SELECT rowid, rank FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT ? OFFSET ?) AS found
         JOIN rows ON rows.id = found.rowid ORDER BY found.rank, rows.id`,
      ).all(match, limit, offset) as unknown as Match[],
    all: (match) =>
      prepared(
        "SELECT rows.sop AS sopId, rows.version, rows.seen FROM fts JOIN rows ON rows.id = fts.rowid WHERE fts MATCH ?",
      ).all(match) as unknown as WantedRow[],
    wordsFrom(first, limit) {
      const found = prepared("SELECT term, doc FROM vocabulary WHERE term > ? ORDER BY term LIMIT ?").all(first, limit);
      return found.map(({ term, doc }) => ({ word: String(term), rows: Number(doc) }));
    },
    size: () => Number(prepared("SELECT count(*) AS count FROM rows").get()?.["count"] ?? 0),
    close() {
      db.close();
    },
  };
}

interface StoredRow {
  id: number;
  version: number;
  seen: number;
}
