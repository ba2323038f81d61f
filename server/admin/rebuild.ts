/** `rebuild`: creates the repositories anew from the ledger and replaces the old ones. */
import path from "node:path";
import { openBlobs } from "../blobs/open.ts";
import { readTaskConfig } from "../config.ts";
import { LedgerError } from "#core/repository/project.ts";
import { historyRef, mainRef } from "../repository/bare-repository.ts";
import { createDatabaseLedger } from "../repository/database-ledger.ts";
import { realDisk } from "../repository/disk.ts";
import { findGit } from "../repository/git-process.ts";
import { createReader } from "../repository/reader.ts";
import { readRef } from "../repository/refs.ts";
import { createRepositories, type Repositories } from "../repository/repositories.ts";
import { openDatabaseForTask } from "../open-for-task.ts";
import { createLog } from "../services.ts";
import { assertDataFolder, loadChosenCompanies } from "./companies.ts";
import type { AdminOutput, OutputFlags } from "./output.ts";

interface RebuildOptions extends OutputFlags {
  company?: string;
}

interface RebuiltRepository {
  company: string;
  before: BranchCommits;
  after: BranchCommits;
  events: number;
  same: boolean;
  /** The number of events that the old repository lacked; null if it wasn't an earlier state of the new one. */
  lag: number | null;
}

interface BranchCommits {
  main: string | null;
  history: string | null;
}

const mismatch = 1;

export async function rebuildCommand(options: RebuildOptions, output: AdminOutput): Promise<number> {
  const config = readTaskConfig();
  await assertDataFolder(config);
  const log = createLog(config);
  const db = await openDatabaseForTask(config);
  let repositories: Repositories | undefined;
  const damaged: string[] = [];
  try {
    const ledger = createDatabaseLedger(db, await openBlobs(config, db));
    repositories = createRepositories({
      dir: path.join(config.dataDir, "repositories"),
      ledger,
      log,
      onDamage: (what) => void damaged.push(what),
    });
    const rebuilt: RebuiltRepository[] = [];
    for (const { _id, slug } of await loadChosenCompanies(db, options.company)) {
      output.say(`${slug} …`);
      rebuilt.push(await rebuildRepository(repositories, _id, slug));
    }
    const lines = [...rebuilt.flatMap(rebuildReportLines), ...damaged.map((line) => `  ${line}`)];
    output.data(lines.join("\n"), { companies: rebuilt, damaged }, damaged.length === 0);
    return damaged.length === 0 ? 0 : mismatch;
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

async function rebuildRepository(
  repositories: Repositories,
  companyId: string,
  company: string,
): Promise<RebuiltRepository> {
  const gitdir = repositories.path(companyId);
  const headOf = (name: string) => readRef(realDisk, gitdir, name);
  const before = { main: await headOf(mainRef), history: await headOf(historyRef) };
  const { main, history, seq } = await repositories.rebuild(companyId);
  const same = before.main === main && before.history === history;
  const lag = before.history === null || history === null ? null : await commitsBehind(gitdir, history, before.history);
  return { company, before, after: { main, history }, events: seq + 1, same, lag };
}

/**
 * Counts the commits after `earlier`. `history` has one commit for each event.
 * @returns null if `earlier` isn't in `history`
 */
async function commitsBehind(gitdir: string, history: string, earlier: string): Promise<number | null> {
  const at = (await createReader(realDisk, gitdir, findGit()).ancestry(history)).indexOf(earlier);
  return at < 0 ? null : at;
}

function rebuildReportLines({ company, before, after, events, same, lag }: RebuiltRepository): string[] {
  const refRow = (name: "main" | "history") =>
    before[name] === after[name]
      ? `  ${name.padEnd(7)} ${after[name] ?? "none"}`
      : `  ${name.padEnd(7)} ${before[name] ?? "none"} → ${after[name] ?? "none"}`;
  return [`${company}: ${events} events, ${rebuildVerdict({ before, same, lag })}`, refRow("main"), refRow("history")];
}

function rebuildVerdict({ before, same, lag }: Pick<RebuiltRepository, "before" | "same" | "lag">): string {
  if (same) return "the same heads as before";
  if (before.history === null) return "there was no repository";
  if (lag === null) return "other heads than before: the old repository was not the ledger's";
  return `the old repository was ${lag} events behind`;
}
