/**
 * A company's search index on disk. It is built from the database, and safe to delete at any time. For each version it
 * has weighted words and the text for excerpts, and says whether the version is the latest, the published one, or both.
 */
import { isDiskFull } from "../database/sqlite/errors.ts";
import { backup, DatabaseSync, type StatementSync } from "node:sqlite";
import { analyserVersion } from "#core/search/analyse.ts";
import { wordTextsOf } from "#core/search/analyse.ts";
import { searchColumnsOf, type IndexedText } from "#core/search/columns.ts";
import { isEmptyWord } from "#core/search/empty-words.ts";
import { fieldWeights } from "#core/search/weights.ts";
import { weightUnit, type IndexRow, type RowWords } from "./part.ts";
import { inTitle, largestWeight } from "./word-lists.ts";

/** The bits of a row's `seen`: they say whether the row's version is the latest one, the published one, or both. */
export const viewBits = { latest: 1, published: 2 } as const;

/** The rows that the index must have for an SOP: its latest and its published version, or one row for both. */
export interface SopRows {
  sopId: string;
  rows: readonly { version: number; seen: number }[];
}

export interface IndexedVersionRow {
  sopId: string;
  version: number;
  seen: number;
}

export type RowText = IndexedText & IndexedVersionRow;

/** The parts of a text that hits show. */
export type ShownText = Pick<IndexedText, "number" | "title" | "description" | "tags" | "markdown">;

/** The position in the company's ledger: the number of the last event, and its id to recognize another ledger. */
export interface LedgerPosition {
  seq: number;
  eventId: string | null;
}

export interface IndexFile {
  position(): LedgerPosition | null;
  moveTo(position: LedgerPosition): void;
  /** Reads rows after this id, in order. */
  page(after: number, limit: number): { row: IndexRow; words: RowWords }[];
  wordsOf(id: number): RowWords;
  textOf(id: number): ShownText;
  add(text: RowText): { row: IndexRow; words: RowWords };
  setSeen(id: number, seen: number): void;
  remove(id: number): void;
  /** Runs `work` completely or not at all. */
  transaction(work: () => void): void;
  close(): void;
}

/** Returns the paths of an index file and of the files that SQLite keeps beside it. */
export function indexFilePaths(path: string): string[] {
  return ["", "-wal", "-shm", "-journal"].map((part) => path + part);
}

/** The version of the tables. Raise it with every change of the tables below. */
const layout = 5;
export const indexVersion = `${layout}.${analyserVersion}`;

// the parts in memory use the row's id, so ids are never reused. The text is the last column, so that loading words
// skips it
const tables = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
  CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
  CREATE TABLE rows (
    id INTEGER PRIMARY KEY AUTOINCREMENT, sop TEXT NOT NULL, version INTEGER NOT NULL, seen INTEGER NOT NULL,
    length INTEGER NOT NULL, titleLength INTEGER NOT NULL, words BLOB NOT NULL, text TEXT NOT NULL
  );
  CREATE UNIQUE INDEX row ON rows (sop, version);
`;

/**
 * Opens an index file.
 * @throws SQLite's error if the file is damaged or isn't an index, and WrongIndexError for another version
 */
export function openIndexFile(path: string): IndexFile {
  const settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";
  try {
    return openWithPragmas(path, settings, false);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    // with an exclusive lock, SQLite needs no shared memory
    return openWithPragmas(path, `PRAGMA locking_mode = EXCLUSIVE; ${settings}`, false);
  }
}

/** Reads the position of an index file without loading its words; null if the file can't be used. */
export function readIndexPosition(path: string): LedgerPosition | null {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      return isOfThisVersion(db) ? storedPosition(db.prepare(positionQuery).get()) : null;
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

/**
 * Copies an index in use, outside this thread.
 * @returns the last event in the copy; -1 if there is no index to copy
 */
export async function copyIndex(path: string, file: string): Promise<number> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    // copy in one step: another connection's change between two steps would restart the copy
    await backup(db, file, { rate: 0x7f_ff_ff_ff });
  } finally {
    db.close();
  }
  return readIndexPosition(file)?.seq ?? -1;
}

/** Creates an empty index without a journal, because it isn't read before it is complete. */
export function createIndexFile(path: string): IndexFile {
  return openWithPragmas(path, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000", true);
}

export class WrongIndexError extends Error {
  constructor(message = "the search index was made by another version") {
    super(message);
    this.name = "WrongIndexError";
  }
}

function openWithPragmas(path: string, settings: string, isNew: boolean): IndexFile {
  const db = new DatabaseSync(path);
  try {
    db.exec(`${settings}; PRAGMA temp_store = MEMORY; PRAGMA busy_timeout = 1000`);
    if (isNew) {
      db.exec(tables);
      db.prepare("INSERT INTO meta VALUES ('version', ?)").run(indexVersion);
    }
    if (!isOfThisVersion(db)) throw new WrongIndexError();
    return createIndexFileOver(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

const positionQuery = "SELECT value FROM meta WHERE key = 'position'";

function storedPosition(row: Record<string, unknown> | undefined): LedgerPosition | null {
  return row ? (JSON.parse(String(row["value"])) as LedgerPosition) : null;
}

function isOfThisVersion(db: DatabaseSync): boolean {
  return db.prepare("SELECT value FROM meta WHERE key = 'version'").get()?.["value"] === indexVersion;
}

interface StoredRow {
  id: number;
  sop: string;
  version: number;
  seen: number;
  length: number;
  titleLength: number;
  words: Uint8Array;
}

function createIndexFileOver(db: DatabaseSync): IndexFile {
  const statements = new Map<string, StatementSync>();
  const preparedStatement = (sql: string) => {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const dictionary = openDictionary(preparedStatement);

  return {
    position() {
      return storedPosition(preparedStatement(positionQuery).get());
    },
    moveTo(position) {
      preparedStatement("INSERT OR REPLACE INTO meta VALUES ('position', ?)").run(JSON.stringify(position));
    },
    page(after, limit) {
      const found = preparedStatement(
        "SELECT id, sop, version, seen, length, titleLength, words FROM rows WHERE id > ? ORDER BY id LIMIT ?",
      ).all(after, limit);
      return (found as unknown as StoredRow[]).map((stored) => {
        const { id, sop, version, seen } = stored;
        return { row: { id, sopId: sop, version, seen }, words: unpackWeights(stored, dictionary.word) };
      });
    },
    wordsOf(id) {
      const stored = preparedStatement("SELECT length, titleLength, words FROM rows WHERE id = ?").get(id);
      return unpackWeights(stored as unknown as StoredRow, dictionary.word);
    },
    textOf(id) {
      const stored = preparedStatement("SELECT text FROM rows WHERE id = ?").get(id);
      try {
        return JSON.parse(String(stored?.["text"])) as ShownText;
      } catch {
        throw new WrongIndexError("a text of the search index can't be read");
      }
    },
    add(text) {
      const words = countedWordsIn(text);
      const { sopId, version, seen } = text;
      const { lastInsertRowid } = preparedStatement(
        "INSERT OR REPLACE INTO rows (sop, version, seen, length, titleLength, words, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ).run(
        sopId,
        version,
        seen,
        words.length,
        words.titleLength,
        packWeights(words, dictionary.number),
        jsonOfShownText(text),
      );
      return { row: { id: Number(lastInsertRowid), sopId, version, seen }, words };
    },
    setSeen: (id, seen) => void preparedStatement("UPDATE rows SET seen = ? WHERE id = ?").run(seen, id),
    remove: (id) => void preparedStatement("DELETE FROM rows WHERE id = ?").run(id),
    transaction(work) {
      db.exec("BEGIN IMMEDIATE");
      try {
        work();
        db.exec("COMMIT");
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        dictionary.forget();
        throw error;
      }
    },
    close() {
      db.close();
    },
  };
}

/** Opens the table of words. Every word has a number, so that a row is a list of numbers. */
function openDictionary(prepared: (sql: string) => StatementSync) {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const learnWord = (word: string, id: number) => {
    numbers.set(word, id);
    words[id] = word;
    return id;
  };
  const reloadWords = () => {
    numbers.clear();
    words.length = 0;
    for (const { id, word } of prepared("SELECT id, word FROM words").iterate()) learnWord(String(word), Number(id));
  };
  reloadWords();
  return {
    forget: reloadWords,
    word: (id: number) => words[id] ?? "",
    number(word: string): number {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      const added = prepared("INSERT OR IGNORE INTO words (word) VALUES (?)").run(word);
      if (added.changes === 1) return learnWord(word, Number(added.lastInsertRowid));
      return learnWord(word, Number(prepared("SELECT id FROM words WHERE word = ?").get(word)?.["id"]));
    },
  };
}

/** Counts the words of a text by weight: a word in the title counts more than in the body. */
function countedWordsIn(text: IndexedText): RowWords {
  const columns = searchColumnsOf(text);
  const stems = new Map<string, number>();
  let length = 0;
  for (const field of ["title", "description", "body"] as const) {
    const weight = fieldWeights[field] * weightUnit;
    const flag = field === "title" ? inTitle : 0;
    for (const word of nonEmptyWords(columns[field])) {
      const before = stems.get(word) ?? 0;
      stems.set(word, Math.min((before & largestWeight) + weight, largestWeight) | (before & inTitle) | flag);
      length += 1;
    }
  }
  const title = wordTextsOf(text.title);
  const titleWords = new Set(title);
  const weight = fieldWeights.words * weightUnit;
  const inflected = nonEmptyWords(columns.words).map((word): [string, number] => [
    word,
    titleWords.has(word) ? weight | inTitle : weight,
  ]);
  const titleLength = title.filter((word) => !isEmptyWord(word)).length;
  return { stems, inflected: new Map(inflected), length: length + inflected.length, titleLength };
}

function jsonOfShownText({ number, title, description, tags, markdown }: RowText): string {
  return JSON.stringify({ number, title, description, tags, markdown } satisfies ShownText);
}

function nonEmptyWords(words: string): string[] {
  return words.split(" ").filter((word) => word !== "");
}

/** Encodes the number of stems, the numbers of all stems and other words, and their weights of two bytes each. */
function packWeights({ stems, inflected }: RowWords, numberOf: (word: string) => number): Uint8Array {
  const numbers = Uint32Array.from([stems.size, ...[...stems.keys(), ...inflected.keys()].map(numberOf)]);
  const weights = Uint16Array.from([...stems.values(), ...inflected.values()]);
  const bytes = new Uint8Array(numbers.byteLength + weights.byteLength);
  bytes.set(new Uint8Array(numbers.buffer));
  bytes.set(new Uint8Array(weights.buffer), numbers.byteLength);
  return bytes;
}

function unpackWeights({ words, length, titleLength }: StoredRow, wordOf: (number: number) => string): RowWords {
  // the bytes are copied, because an array of numbers must begin at a multiple of their size
  const { buffer, byteLength } = Uint8Array.from(words);
  const all = (byteLength - 4) / 6;
  const [count = 0] = new Uint32Array(buffer, 0, 1);
  const numbers = new Uint32Array(buffer, 4, all);
  const weights = new Uint16Array(buffer, 4 + 4 * all, all);
  const [stems, inflected] = [new Map<string, number>(), new Map<string, number>()];
  for (let at = 0; at < all; at++) {
    (at < count ? stems : inflected).set(wordOf(numbers[at] ?? 0), weights[at] ?? 0);
  }
  return { stems, inflected, length, titleLength };
}
