/** `rebuild`: rebuilds the repositories from the ledger and replaces the old ones. */
import path from "node:path";
import { openBlobs } from "../blobs/open.ts";
import { readConfig } from "../config.ts";
import { LedgerError } from "#core/repository/project.ts";
import { historyRef, mainRef } from "../repository/bare-repository.ts";
import { databaseLedger } from "../repository/database-ledger.ts";
import { realDisk } from "../repository/disk.ts";
import { readRef } from "../repository/refs.ts";
import { createRepositories, type Repositories } from "../repository/repositories.ts";
import { createLog, openDatabase } from "../services.ts";
import { assertDataFolder, companiesFor } from "./companies.ts";
import type { Output, OutputFlags } from "./output.ts";

interface RebuildOptions extends OutputFlags {
  company?: string;
}

interface Rebuilt {
  company: string;
  before: Heads;
  after: Heads;
  events: number;
  same: boolean;
}

interface Heads {
  main: string | null;
  history: string | null;
}

const mismatch = 1;

export async function rebuild(options: RebuildOptions, output: Output): Promise<number> {
  const config = readConfig();
  await assertDataFolder(config);
  const log = createLog(config);
  const db = await openDatabase(config);
  let repositories: Repositories | undefined;
  try {
    await db.prepare();
    const ledger = databaseLedger(db, await openBlobs(config, db));
    repositories = createRepositories({ dir: path.join(config.dataDir, "repositories"), ledger, log });
    const rebuilt: Rebuilt[] = [];
    for (const { _id, slug } of await companiesFor(db, options.company)) {
      output.say(`${slug} …`);
      rebuilt.push(await rebuildOne(repositories, _id, slug));
    }
    output.data(rebuilt.flatMap(linesOf).join("\n"), { companies: rebuilt });
    return 0;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    output.failed("ledger", `${error.message}; the old repository stays. \`sop admin verify --repo\` shows more`);
    return mismatch;
  } finally {
    await repositories?.close();
    await db.close();
    log.flush();
  }
}

async function rebuildOne(repositories: Repositories, companyId: string, company: string): Promise<Rebuilt> {
  const gitdir = repositories.path(companyId);
  const head = (name: string) => readRef(realDisk, gitdir, name);
  const before = { main: await head(mainRef), history: await head(historyRef) };
  const { main, history, seq } = await repositories.rebuild(companyId);
  const same = before.main === main && before.history === history;
  return { company, before, after: { main, history }, events: seq + 1, same };
}

function linesOf({ company, before, after, events, same }: Rebuilt): string[] {
  const row = (name: "main" | "history") =>
    before[name] === after[name]
      ? `  ${name.padEnd(7)} ${after[name] ?? "none"}`
      : `  ${name.padEnd(7)} ${before[name] ?? "none"} → ${after[name] ?? "none"}`;
  const verdict = same ? "the same heads as before" : "other heads than before: the old copy was behind, or not ours";
  return [`${company}: ${events} events, ${verdict}`, row("main"), row("history")];
}
