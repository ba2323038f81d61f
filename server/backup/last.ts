/**
 * When the last backup was made. Beside a server, `sop admin backup` can't write the embedded database: there a file in
 * `DATA_DIR` knows it.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Config } from "../config.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";

const LastBackup = z.object({ at: z.string(), bytes: z.number(), seconds: z.number(), hasKeys: z.boolean() });
export type LastBackup = z.output<typeof LastBackup>;

type Where = Pick<Config, "dataDir">;
type Store = Pick<Database<Collections>, "collection" | "engine">;

const id = "last-backup";
const fileIn = ({ dataDir }: Where) => path.join(dataDir, id);

export async function rememberBackup(db: Store, where: Where, last: LastBackup): Promise<void> {
  const value = JSON.stringify(last);
  if (db.engine === "mongodb") {
    await db.collection("system").updateOne({ _id: id }, { $set: { value, at: last.at } }, { upsert: true });
    return;
  }
  const draft = `${fileIn(where)}.part`;
  await writeFile(draft, `${value}\n`, { mode: 0o600 });
  await rename(draft, fileIn(where));
}

/** @returns null before the first backup of this installation */
export async function lastBackup(db: Store, where: Where): Promise<LastBackup | null> {
  const text =
    db.engine === "mongodb"
      ? (await db.collection("system").findOne({ _id: id }))?.value
      : await readFile(fileIn(where), "utf8").catch(() => undefined);
  if (text === undefined) return null;
  try {
    return LastBackup.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
