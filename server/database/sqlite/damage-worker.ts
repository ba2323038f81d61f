// Runs in a worker thread. Every document must be valid JSON with its own id, and SQLite checks every page and index.
import { parentPort, workerData } from "node:worker_threads";
import { yieldToRequests } from "../../capacity/yield-to-requests.ts";
import { damagedDocument } from "../port.ts";
import { shapeCheck } from "../shape.ts";
import { shapes } from "../shapes.ts";
import type { Connection } from "./connection.ts";
import { quoted } from "./paths.ts";
import { openForReading } from "./read-only.ts";

yieldToRequests("nothing");

export interface DamageReply {
  findings: string[];
}

const pagesAtMost = 20;
const documentsAtMost = 1_000;
const rowsAtOnce = 50;

interface Task {
  file: string;
  collections: readonly { name: string; isShaped: boolean }[];
}

function findings({ file, collections }: Task): string[] {
  const found = orReason("the database file", () => {
    const connection = openForReading(file);
    try {
      const documents = collections.map(({ name }) => ({ name, lines: wrongDocuments(connection, name) }));
      const shapeless = collections.flatMap(({ name, isShaped }) => (isShaped ? withoutShape(connection, name) : []));
      const sound = documents.filter(({ lines }) => lines.length === 0).map(({ name }) => name);
      const isSound = sound.length === collections.length;
      const pages = isSound ? check(connection, "integrity_check") : check(connection, "quick_check");
      // SQLite can't compute the indexes of a document that is no JSON, and would say nothing of the others
      if (!isSound) for (const name of sound) pages.push(...check(connection, "integrity_check", name));
      return [...documents.flatMap(({ lines }) => lines), ...shapeless, ...pages.slice(0, pagesAtMost)];
    } finally {
      connection.close();
    }
  });
  return [...new Set(found)];
}

function check(connection: Connection, how: "integrity_check" | "quick_check", table?: string): string[] {
  return orReason(table ?? "the database file", () =>
    connection
      .all(`PRAGMA ${how}(${table === undefined ? pagesAtMost : quoted(table)})`)
      .map((row) => String(row[how]))
      .filter((line) => line !== "ok")
      .flatMap((line) => line.split("\n"))
      .filter((part) => part !== "" && !part.startsWith("***")),
  );
}

function orReason(what: string, look: () => string[]): string[] {
  try {
    return look();
  } catch (error) {
    return [`${what}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function wrongDocuments(connection: Connection, name: string): string[] {
  return orReason(`the collection ${name}`, () => {
    const table = connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name);
    if (!table) return [`the collection ${name} is missing`];
    const wrong = `CASE WHEN json_valid(doc) THEN json_extract(doc, '$._id') IS NOT _id ELSE 1 END`;
    const rows = connection.all(`SELECT _id FROM ${quoted(name)} WHERE ${wrong} LIMIT ${documentsAtMost}`);
    return rows.map(({ _id }) => damagedDocument(name, String(_id)));
  });
}

/** Valid JSON that lacks what each document of the collection has. */
function withoutShape(connection: Connection, name: string): string[] {
  return orReason(`the collection ${name}`, () => {
    const hasShape = shapeCheck(shapes[name]);
    const lines: string[] = [];
    for (let after = -1; lines.length < documentsAtMost;) {
      const rows = connection.all(
        `SELECT row, _id, doc FROM ${quoted(name)} WHERE row > ? AND json_valid(doc) ORDER BY row LIMIT ${rowsAtOnce}`,
        after,
      );
      for (const { _id, doc } of rows)
        if (!hasShape(JSON.parse(doc as string))) lines.push(damagedDocument(name, String(_id)));
      if (rows.length < rowsAtOnce) break;
      after = rows.at(-1)?.["row"] as number;
    }
    return lines;
  });
}

parentPort?.postMessage({
  findings: findings(workerData as Task),
} satisfies DamageReply);
