// checks the database file in a worker thread. Every document must be valid JSON with its own id, and SQLite checks
// every page and index
import { parentPort, workerData } from "node:worker_threads";
import { yieldToRequests } from "../../capacity/yield-to-requests.ts";
import { declarations, type Collections } from "../documents.ts";
import { damagedDocument } from "../port.ts";
import { shapeCheck } from "../shape.ts";
import { failureReason } from "../../foreign-failure.ts";
import type { SqliteConnection, SqliteRow } from "./connection.ts";
import { backUpTheRest, DamagedFileError, damagedSchema, isDatabaseUnreadable } from "./errors.ts";
import { missingPagesFinding } from "./first-page.ts";
import { quoteIdentifier } from "./paths.ts";
import { openForReading } from "./read-only.ts";

yieldToRequests("nothing");

export interface DamageReply {
  findings: string[];
  /** Collections with a damaged index, which the engine can rebuild. */
  indexes: string[];
}

const linesAtMost = 1_000;
const documentsAtMost = 1_000;
const rowsAtOnce = 50;

interface DamageTask {
  file: string;
  collections: readonly { name: string; isShaped: boolean }[];
}

function lookForDamage({ file, collections }: DamageTask): DamageReply {
  const indexes = new Set<string>();
  const findings = orReason(() => {
    const connection = openForReading(file);
    try {
      const documents = collections.map(({ name }) => ({ name, lines: wrongDocuments(connection, name) }));
      const shapeless = collections.flatMap(({ name, isShaped }) =>
        isShaped ? orReason(() => withoutShape(connection, name)) : [],
      );
      const sound = documents.filter(({ lines }) => lines.length === 0).map(({ name }) => name);
      const isSound = sound.length === collections.length;
      const lines = isSound
        ? runIntegrityPragma(connection, "integrity_check")
        : runIntegrityPragma(connection, "quick_check");
      // SQLite can't compute the indexes of a document that isn't JSON, and then doesn't check the other tables
      if (!isSound) for (const name of sound) lines.push(...runIntegrityPragma(connection, "integrity_check", name));
      const named = lines.map(createDamageDescriber(connection)).map(({ collection, text }) => {
        if (collection !== undefined) indexes.add(collection);
        return text;
      });
      return [...missingPagesFinding(file), ...documents.flatMap((one) => one.lines), ...shapeless, ...named];
    } finally {
      connection.close();
    }
  });
  return { findings: [...new Set(findings)], indexes: [...indexes] };
}

/** @returns the lines of SQLite's check */
function runIntegrityPragma(
  connection: SqliteConnection,
  how: "integrity_check" | "quick_check",
  table?: string,
): string[] {
  return orReason(() =>
    connection
      .all(`PRAGMA ${how}(${table === undefined ? linesAtMost : quoteIdentifier(table)})`)
      .map((row) => String(row[how]))
      .filter((line) => line !== "ok")
      .flatMap((line) => line.split("\n"))
      // a repair leaves unused pages, so they don't count
      .filter((part) => part !== "" && !part.startsWith("***") && !part.endsWith(": never used")),
  );
}

const byItself = "No document is lost. The server repairs it by itself: start it, or leave it running";

/**
 * Translates SQLite's lines for operators.
 * @returns a function from a line to its text and the collection whose index is damaged
 */
function createDamageDescriber(connection: SqliteConnection): (line: string) => { text: string; collection?: string } {
  const tables = new Map<string, { name: string; type: string }>();
  for (const { rootpage, tbl_name, type } of readSchema(connection))
    tables.set(String(rootpage), { name: String(tbl_name), type: String(type) });
  const ofTable = (name: string, type: string) => {
    if (name === "_fields") return { text: `the types of fields are damaged. ${byItself}` };
    const [collection = name] = name.split("/");
    // a table holds the index of an array
    if (type === "index" || name !== collection)
      return { text: `an index of ${collection} is damaged. ${byItself}`, collection };
    return { text: `pages of ${name} are damaged, and documents on them are lost. ${backUpTheRest}` };
  };
  return (line) => {
    const root = /^Tree (\d+) /.exec(line)?.[1];
    if (root === "1") return { text: damagedSchema(true).message };
    const table = root === undefined ? undefined : tables.get(root);
    if (table) return ofTable(table.name, table.type);
    const index = /(?: index | PRIMARY KEY order for )(?:sqlite_autoindex_)?(.+?)(?:_\d+)?$/.exec(line)?.[1];
    if (index !== undefined) return ofTable(index.split("/")[0] ?? index, "index");
    const column = / value in (.+)\.\w+$/.exec(line)?.[1];
    if (column !== undefined) return ofTable(column, "table");
    if (/^free-?list/i.test(line)) return { text: `the list of unused pages is damaged. ${byItself}` };
    return { text: line.startsWith("the ") ? line : `a part of the database file is damaged. ${backUpTheRest}` };
  };
}

function readSchema(connection: SqliteConnection): SqliteRow[] {
  try {
    return connection.all("SELECT rootpage, tbl_name, type FROM sqlite_schema");
  } catch (error) {
    if (!isDatabaseUnreadable(error)) throw error;
    return [];
  }
}

function orReason(find: () => string[]): string[] {
  try {
    return find();
  } catch (error) {
    if (error instanceof DamagedFileError) return [error.message];
    if (isDatabaseUnreadable(error)) return [`the database file is damaged. ${backUpTheRest}`];
    return [`the database file can't be checked: ${failureReason(error)}`];
  }
}

function wrongDocuments(connection: SqliteConnection, name: string): string[] {
  return orReason(() => {
    const table = connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name);
    if (!table) return [`the collection ${name} is missing`];
    const wrong = `CASE WHEN json_valid(doc) THEN json_extract(doc, '$._id') IS NOT _id ELSE 1 END`;
    try {
      const rows = connection.all(`SELECT _id FROM ${quoteIdentifier(name)} WHERE ${wrong} LIMIT ${documentsAtMost}`);
      return rows.map(({ _id }) => damagedDocument(name, String(_id)));
    } catch (error) {
      if (!isDatabaseUnreadable(error)) throw error;
      return onDamagedPages(connection, name);
    }
  });
}

/** Finds rows on damaged pages through the index of ids, which leads to each row. */
function onDamagedPages(connection: SqliteConnection, name: string): string[] {
  const index = quoteIdentifier(`sqlite_autoindex_${name}_1`);
  const lost: string[] = [];
  for (const { row, _id } of connection.all(`SELECT row, _id FROM ${quoteIdentifier(name)} INDEXED BY ${index}`)) {
    if (lost.length >= documentsAtMost) break;
    try {
      connection.get(`SELECT doc FROM ${quoteIdentifier(name)} WHERE row = ?`, row);
    } catch (error) {
      if (!isDatabaseUnreadable(error)) throw error;
      lost.push(damagedDocument(name, String(_id)));
    }
  }
  return lost;
}

/** Finds valid JSON that lacks the shape of the collection. */
function withoutShape(connection: SqliteConnection, name: string): string[] {
  const hasShape = shapeCheck(declarations[name as keyof Collections]?.shape);
  const lines: string[] = [];
  for (let after = -1; lines.length < documentsAtMost;) {
    const rows = connection.all(
      `SELECT row, _id, doc FROM ${quoteIdentifier(name)} WHERE row > ? AND json_valid(doc) ORDER BY row LIMIT ${rowsAtOnce}`,
      after,
    );
    for (const { _id, doc } of rows)
      if (!hasShape(JSON.parse(doc as string))) lines.push(damagedDocument(name, String(_id)));
    if (rows.length < rowsAtOnce) break;
    after = rows.at(-1)?.["row"] as number;
  }
  return lines;
}

parentPort?.postMessage(lookForDamage(workerData as DamageTask) satisfies DamageReply);
