// Runs in a worker thread. SQLite checks every page and index; then every document must be valid JSON with its own id.
import { parentPort, workerData } from "node:worker_threads";
import { yieldToRequests } from "../../capacity/yield-to-requests.ts";
import { quoted } from "./paths.ts";
import { openForReading } from "./read-only.ts";

yieldToRequests("nothing");

export interface DamageReply {
  findings: string[];
}

const findingsAtMost = 20;

function findings({ file, collections }: { file: string; collections: readonly string[] }): string[] {
  const found: string[] = [];
  try {
    const connection = openForReading(file);
    try {
      for (const row of connection.all(`PRAGMA integrity_check(${findingsAtMost})`)) {
        const line = String(row["integrity_check"]);
        if (line !== "ok") found.push(...line.split("\n").filter((part) => part !== "" && !part.startsWith("***")));
      }
      for (const name of collections) found.push(...wrongDocuments(connection, name));
    } finally {
      connection.close();
    }
  } catch (error) {
    found.push(error instanceof Error ? error.message : String(error));
  }
  return [...new Set(found)].slice(0, findingsAtMost);
}

function wrongDocuments(connection: ReturnType<typeof openForReading>, name: string): string[] {
  const table = connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name);
  if (!table) return [`the collection ${name} is missing`];
  const wrong = `CASE WHEN json_valid(doc) THEN json_extract(doc, '$._id') IS NOT _id ELSE 1 END`;
  return connection
    .all(`SELECT _id FROM ${quoted(name)} WHERE ${wrong} LIMIT ${findingsAtMost}`)
    .map(({ _id }) => `document ${String(_id)} of ${name}: it can't be read`);
}

parentPort?.postMessage({
  findings: findings(workerData as { file: string; collections: string[] }),
} satisfies DamageReply);
