/** The peer of saves: transactions of SQLite alone, as many rows and bytes as a save writes, each synced to the disk. */
// oxlint-disable-next-line no-restricted-imports -- SQLite without our engine
import { DatabaseSync } from "node:sqlite";
import { randomUUID } from "node:crypto";

const rowsOfSave = 8;
const bytesOfRow = 1_500;

/** @returns transactions a second */
export async function rawTransactions(file: string, seconds: number): Promise<number> {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
  database.exec("CREATE TABLE IF NOT EXISTS rows (id TEXT PRIMARY KEY, doc TEXT)");
  const insert = database.prepare("INSERT INTO rows VALUES (?, ?)");
  const doc = "x".repeat(bytesOfRow);
  let done = 0;
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    database.exec("BEGIN IMMEDIATE");
    for (let n = 0; n < rowsOfSave; n++) insert.run(randomUUID(), doc);
    database.exec("COMMIT");
    done += 1;
  }
  database.close();
  return done / seconds;
}
