// This worker thread checks the database file. Every document must be valid JSON with its own id, and SQLite checks
// every page and index.
import { parentPort, workerData } from "node:worker_threads";
import { yieldToRequests } from "../../capacity/yield-to-requests.ts";
import { declarations, type Collections } from "../documents.ts";
import { damagedDocumentText } from "../port.ts";
import { shapeCheck } from "../shape.ts";
import { failureReason } from "../../foreign-failure.ts";
import type { SqliteConnection, SqliteRow } from "./connection.ts";
import { findDerivedDifferences, readDocuments } from "./derived-tables.ts";
import { backUpTheRest, DamagedFileError, damagedSchemaError, isDatabaseUnreadable } from "./errors.ts";
import { FieldTypes } from "./field-types.ts";
import { findMissingPages } from "./first-page.ts";
import { quoteIdentifier } from "./paths.ts";
import { openForReading } from "./read-only.ts";
import type { ArrayIndex } from "./table.ts";

yieldToRequests("nothing");

export interface DamageReply {
  findings: string[];
  /** Collections with a damaged index, which the engine can rebuild. */
  indexes: string[];
  /** Derived tables that differ from the documents of their collection. */
  derived: { collection: string; table: string }[];
}

const linesAtMost = 1_000;
const documentsAtMost = 1_000;

interface CheckedCollection {
  name: string;
  isShaped: boolean;
  arrays: ArrayIndex[];
  nested: readonly string[];
}

interface DamageTask {
  file: string;
  collections: readonly CheckedCollection[];
}

function lookForDamage({ file, collections }: DamageTask): DamageReply {
  const indexes = new Set<string>();
  const derived: DamageReply["derived"] = [];
  const findings = findOrReason(() => {
    const connection = openForReading(file);
    try {
      const documents = collections.map(({ name }) => ({ name, lines: findWrongDocuments(connection, name) }));
      const sound = documents.filter(({ lines }) => lines.length === 0).map(({ name }) => name);
      const differences: string[] = [];
      const withDifferences = (one: CheckedCollection) => {
        const types = new FieldTypes(one.nested);
        const lines = findShapelessDocuments(connection, one, types);
        for (const { table, how } of undefinedIfUnreadable(() => findDerivedDifferences(connection, one, types)) ??
          []) {
          derived.push({ collection: one.name, table });
          differences.push(`the table ${table} differs from the documents: ${how}. ${byItself}`);
        }
        return lines;
      };
      const shapeless = collections.flatMap((one) =>
        one.isShaped
          ? findOrReason(() => withDifferences(one))
          : // the check of all pages names the damage here
            (undefinedIfUnreadable(() => withDifferences(one)) ?? []),
      );
      const isSound = sound.length === collections.length;
      const lines = isSound
        ? runIntegrityPragma(connection, "integrity_check")
        : runIntegrityPragma(connection, "quick_check");
      // SQLite can't compute the indexes of a document that isn't JSON, and then skips other tables, so check the sound
      // ones separately
      if (!isSound) for (const name of sound) lines.push(...runIntegrityPragma(connection, "integrity_check", name));
      const named = lines.map(createDamageDescriber(connection)).map(({ collection, text }) => {
        if (collection !== undefined) indexes.add(collection);
        return text;
      });
      return [
        ...findMissingPages(file),
        ...documents.flatMap((one) => one.lines),
        ...shapeless,
        ...differences,
        ...named,
      ];
    } finally {
      connection.close();
    }
  });
  return { findings: [...new Set(findings)], indexes: [...indexes], derived };
}

/** Runs SQLite's check of a table or the whole file. @returns its lines */
function runIntegrityPragma(
  connection: SqliteConnection,
  how: "integrity_check" | "quick_check",
  table?: string,
): string[] {
  return findOrReason(() =>
    connection
      .all(`PRAGMA ${how}(${table === undefined ? linesAtMost : quoteIdentifier(table)})`)
      .map((row) => String(row[how]))
      .filter((line) => line !== "ok")
      .flatMap((line) => line.split("\n"))
      // pages that are never used don't count, because a repair leaves some
      .filter((part) => part !== "" && !part.startsWith("***") && !part.endsWith(": never used")),
  );
}

const byItself =
  "No document is lost. Start the server, or leave it running: it repairs this soon after each start and once a day";

/**
 * Creates a function that explains a line of SQLite's check to operators.
 * @returns a function from a line to its text and the collection whose index is damaged
 */
function createDamageDescriber(connection: SqliteConnection): (line: string) => { text: string; collection?: string } {
  const tables = new Map<string, { name: string; type: string }>();
  for (const { rootpage, tbl_name, type } of readSchema(connection))
    tables.set(String(rootpage), { name: String(tbl_name), type: String(type) });
  const damageOfTable = (name: string, type: string) => {
    if (name === "_fields") return { text: `the types of fields are damaged. ${byItself}` };
    const [collection = name] = name.split("/");
    // an array's index is a table
    if (type === "index" || name !== collection)
      return { text: `an index of ${collection} is damaged. ${byItself}`, collection };
    return { text: `pages of ${name} are damaged, and documents on them are lost. ${backUpTheRest}` };
  };
  return (line) => {
    const root = /^Tree (\d+) /.exec(line)?.[1];
    if (root === "1") return { text: damagedSchemaError(true).message };
    const table = root === undefined ? undefined : tables.get(root);
    if (table) return damageOfTable(table.name, table.type);
    const index = /(?: index | PRIMARY KEY order for )(?:sqlite_autoindex_)?(.+?)(?:_\d+)?$/.exec(line)?.[1];
    if (index !== undefined) return damageOfTable(index.split("/")[0] ?? index, "index");
    const column = / value in (.+)\.\w+$/.exec(line)?.[1];
    if (column !== undefined) return damageOfTable(column, "table");
    if (/^free-?list/i.test(line)) return { text: `the list of unused pages is damaged. ${byItself}` };
    return { text: line.startsWith("the ") ? line : `a part of the database file is damaged. ${backUpTheRest}` };
  };
}

function readSchema(connection: SqliteConnection): SqliteRow[] {
  return undefinedIfUnreadable(() => connection.all("SELECT rootpage, tbl_name, type FROM sqlite_schema")) ?? [];
}

function findOrReason(find: () => string[]): string[] {
  try {
    return find();
  } catch (error) {
    if (error instanceof DamagedFileError) return [error.message];
    if (isDatabaseUnreadable(error)) return [`the database file is damaged. ${backUpTheRest}`];
    return [`the database file can't be checked: ${failureReason(error)}`];
  }
}

function findWrongDocuments(connection: SqliteConnection, name: string): string[] {
  return findOrReason(() => {
    const table = connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name);
    if (!table) return [`the collection ${name} is missing`];
    const wrong = `CASE WHEN json_valid(doc) THEN json_extract(doc, '$._id') IS NOT _id ELSE 1 END`;
    try {
      const rows = connection.all(`SELECT _id FROM ${quoteIdentifier(name)} WHERE ${wrong} LIMIT ${documentsAtMost}`);
      return rows.map(({ _id }) => damagedDocumentText(name, String(_id)));
    } catch (error) {
      if (!isDatabaseUnreadable(error)) throw error;
      return findRowsOnDamagedPages(connection, name);
    }
  });
}

/** Finds rows on damaged pages through the index of ids, which has an entry for each row. */
function findRowsOnDamagedPages(connection: SqliteConnection, name: string): string[] {
  const index = quoteIdentifier(`sqlite_autoindex_${name}_1`);
  const lost: string[] = [];
  for (const { row, _id } of connection.all(`SELECT row, _id FROM ${quoteIdentifier(name)} INDEXED BY ${index}`)) {
    if (lost.length >= documentsAtMost) break;
    try {
      connection.get(`SELECT doc FROM ${quoteIdentifier(name)} WHERE row = ?`, row);
    } catch (error) {
      if (!isDatabaseUnreadable(error)) throw error;
      lost.push(damagedDocumentText(name, String(_id)));
    }
  }
  return lost;
}

/**
 * Finds documents that are valid JSON but lack the shape of the collection.
 * @param types gets the types of all fields
 */
function findShapelessDocuments(
  connection: SqliteConnection,
  { name, isShaped }: CheckedCollection,
  types: FieldTypes,
): string[] {
  const hasShape = isShaped ? shapeCheck(declarations[name as keyof Collections]?.shape) : () => true;
  const lines: string[] = [];
  for (const { _id, document } of readDocuments(connection, name)) {
    types.note(document);
    if (lines.length < documentsAtMost && !hasShape(document)) lines.push(damagedDocumentText(name, _id));
  }
  return lines;
}

function undefinedIfUnreadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isDatabaseUnreadable(error)) throw error;
    return undefined;
  }
}

parentPort?.postMessage(lookForDamage(workerData as DamageTask) satisfies DamageReply);
