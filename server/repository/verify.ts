/**
 * Compares a repository with the ledger. Computes every object again in memory, so the check trusts no file on disk.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import type { CommitIds } from "#core/repository/event.ts";
import { headFile, historyRef, listLooseObjects, mainRef, movingRefs, readLooseObject } from "./bare-repository.ts";
import { errorCodeOf, listNamesInFolder, readIfThere, type Disk } from "./disk.ts";
import { isAccessDeniedError } from "../file-errors.ts";
import { runGit } from "./git-process.ts";
import { createReader } from "./reader.ts";
import { isTagOfOperators, readPackedRefs, readRef } from "./refs.ts";
import { standInName, readStandIns } from "./stand-ins.ts";
import {
  recomputeCommits,
  findingsAtMost,
  type ComputedCommits,
  type LedgerFinding,
  type VerifySettings,
} from "./verify-ledger.ts";

export interface VerifyReport {
  ok: boolean;
  /** The number of checked events. */
  events: number;
  /** The computed heads, which operators can note down elsewhere. */
  head: CommitIds;
  /** The number of events that the repository on disk hasn't committed yet, which isn't a finding. */
  lag: number;
  /** The event of the expected head, if the ledger has it. */
  expectedSeq: number | null;
  findings: LedgerFinding[];
}

interface RefsOnDisk {
  history: string | null;
  main: string | null;
  notes: string | null;
  packed: Map<string, string>;
}

const checksumBytes = 20;
const readAtOnce = 1024 * 1024;

export async function verifyRepository(
  settings: VerifySettings,
  companyId: string,
  gitdir: string,
  expect?: string,
): Promise<VerifyReport> {
  // the refs are read before the ledger, so that commits of a running server don't count as findings
  const onDisk = await readRefsOnDisk(settings.disk, gitdir);
  const computed = await recomputeCommits(settings, companyId, gitdir);
  const { commits } = computed;
  const findings = [...computed.findings];
  let lag = 0;
  const standIns = await readStandIns(settings.disk, gitdir);
  for (const one of standIns) {
    const message = `it has a note in place of ${standInName(one)}, so its commits aren't those of the ledger`;
    findings.push({ seq: null, where: "repository", message });
  }
  if (computed.complete && standIns.length === 0) {
    const compared = await compareRefs(settings, gitdir, onDisk, computed);
    lag = compared.lag;
    findings.push(...limitFindings(compared.findings));
  }
  findings.push(...limitFindings(await findDamagedObjects(settings, gitdir)));
  const seqOfExpected =
    expect === undefined ? -1 : commits.findIndex(({ main, history }) => main === expect || history === expect);
  if (expect !== undefined && seqOfExpected < 0 && computed.complete) {
    findings.push({ seq: null, where: "expect", message: `${expect} is none of this company's commits` });
  }
  return {
    ok: findings.length === 0,
    events: computed.events,
    head: {
      main: commits.findLast(({ main }) => main !== null)?.main ?? null,
      history: commits.at(-1)?.history ?? null,
    },
    lag,
    expectedSeq: seqOfExpected < 0 ? null : seqOfExpected,
    findings,
  };
}

function limitFindings(findings: readonly LedgerFinding[]): LedgerFinding[] {
  const more = findings.length - findingsAtMost;
  if (more <= 0) return [...findings];
  return [...findings.slice(0, findingsAtMost), { seq: null, where: "repository", message: `and ${more} more` }];
}

async function readRefsOnDisk(disk: Disk, gitdir: string): Promise<RefsOnDisk> {
  return {
    history: await readRef(disk, gitdir, historyRef),
    main: await readRef(disk, gitdir, mainRef),
    notes: await readRef(disk, gitdir, movingRefs.notes),
    packed: await readPackedRefs(disk, gitdir, ""),
  };
}

async function compareRefs(
  { disk, git }: VerifySettings,
  gitdir: string,
  { history, main, notes, packed }: RefsOnDisk,
  computed: ComputedCommits,
): Promise<{ lag: number; findings: LedgerFinding[] }> {
  const differenceOf = (message: string, seq: number | null = null): LedgerFinding => ({
    seq,
    where: "repository",
    message,
  });
  const { commits } = computed;
  const seq = history === null ? -1 : commits.findIndex((commit) => commit.history === history);
  if (history !== null && seq < 0) {
    const first = await findFirstCommitOutsideLedger(createReader(disk, gitdir, git).ancestry(history), commits);
    return { lag: 0, findings: [differenceOf(`history points at ${history}, which is not in the ledger`, first)] };
  }
  const findings: LedgerFinding[] = [];
  const due = commits.slice(0, seq + 1).findLast((commit) => commit.main !== null)?.main ?? null;
  // `main` moves before `history`, which follows a moment later, or after a crash
  const ahead = main !== null && commits.slice(seq + 1).some((commit) => commit.main === main);
  if (main !== due && !ahead) findings.push(differenceOf(`main points at ${main}, the ledger makes it ${due}`));
  const noted = computed.notes.findLast((one) => one.seq <= seq)?.oid ?? null;
  const notedAhead = computed.notes.some((one) => one.seq > seq && one.oid === notes);
  // after a fault the notes of later events aren't known
  if (computed.findings.length === 0 && notes !== noted && !notedAhead) {
    findings.push(differenceOf(`${movingRefs.notes} points at ${notes}, the ledger makes it ${noted}`));
  }
  const known = new Set(commits.slice(0, seq + 1).map((commit) => commit.main));
  for (const [name, oid] of computed.tags) {
    const tagged = packed.get(`refs/tags/${name}`) ?? null;
    if (known.has(oid) && tagged !== oid) findings.push(differenceOf(`tag ${name} points at ${tagged}, not at ${oid}`));
  }
  const made = new Set([...Object.values(movingRefs), ...[...computed.tags.keys()].map((name) => `refs/tags/${name}`)]);
  for (const name of computed.gapless ? packed.keys() : [])
    if (!made.has(name) && !isTagOfOperators(name)) findings.push(differenceOf(`${name} is not in the ledger`));
  return { lag: commits.length - 1 - seq, findings };
}

/**
 * Finds the first commit that isn't in the ledger. `history` has one commit for each event, so its index is the event's
 * number.
 */
async function findFirstCommitOutsideLedger(
  ancestry: Promise<string[]>,
  commits: readonly CommitIds[],
): Promise<number | null> {
  const oldestFirst = await ancestry.then(
    (oids) => oids.reverse(),
    () => null,
  );
  return oldestFirst === null ? null : oldestFirst.findIndex((oid, seq) => commits[seq]?.history !== oid);
}

/**
 * Finds packs with a wrong checksum. Git sends packs without a check of its own, so clients would notice the damage
 * first.
 */
export async function findDamagedPacks(disk: Disk, gitdir: string, turn: () => Promise<void>): Promise<string[]> {
  const packs = (await listNamesInFolder(disk, `${gitdir}/objects/pack`)).filter((name) =>
    /\.(pack|idx|bitmap|rev)$/.test(name),
  );
  const faults: string[] = [];
  for (const name of [...packs.map((pack) => `pack/${pack}`), "info/commit-graph"]) {
    if (!(await hasOwnHashAtEnd(disk, `${gitdir}/objects/${name}`, turn)))
      faults.push(`${path.basename(name)} is damaged: its checksum differs`);
  }
  return faults;
}

/** Finds damaged loose objects, packs and a damaged HEAD. If none is found, git also checks every single object. */
export async function findDamagedObjects(
  { disk, git, turn }: VerifySettings,
  gitdir: string,
): Promise<LedgerFinding[]> {
  const findings: LedgerFinding[] = [];
  const addFinding = (message: string): number => findings.push({ seq: null, where: "repository", message });
  for (const oid of await listLooseObjects(disk, gitdir)) {
    await readLooseObject(disk, gitdir, oid).catch((error: Error) => {
      if (isAccessDeniedError(error)) throw error;
      if (errorCodeOf(error) !== "ENOENT") addFinding(error.message);
    });
    await turn();
  }
  for (const fault of await findDamagedPacks(disk, gitdir, turn)) addFinding(fault);
  const head = await readIfThere(disk, `${gitdir}/HEAD`);
  if (head === null && (await readRef(disk, gitdir, historyRef)) === null) return findings;
  // with another HEAD, git treats the repository as if it had no commits
  if (head?.toString("latin1") !== headFile) addFinding("HEAD is damaged");
  if (git === null || findings.length > 0) return findings;
  const ended = new AbortController();
  // git reports its progress every second
  const onProgress = () => void turn().catch(() => ended.abort());
  const check = await runGit(git, gitdir, ["fsck", "--full", "--strict", "--no-dangling", "--progress"], {
    as: "maintenance",
    onProgress,
    signal: ended.signal,
  });
  await turn();
  if (check.code !== 0)
    addFinding(`git fsck: ${withoutProgress(check.stderr + check.stdout.toString("utf8")).slice(0, 500)}`);
  return findings;
}

function withoutProgress(output: string): string {
  const isProgress = (line: string) => /: +\d+% \(\d+\/\d+\)/.test(line);
  return output
    .split(/[\r\n]+/)
    .filter((line) => !isProgress(line))
    .join("\n")
    .trim();
}

/**
 * Says whether the file ends with the SHA-1 of its content, as packs, their indexes and git's notes do. A missing file
 * passes, because a repack may have removed it.
 */
async function hasOwnHashAtEnd(disk: Disk, path: string, turn: () => Promise<void>): Promise<boolean> {
  const file = await disk.open(path).catch((error: unknown) => {
    if (errorCodeOf(error) !== "ENOENT") throw error;
    return null;
  });
  if (file === null) return true;
  try {
    const hash = createHash("sha1");
    const buffer = Buffer.alloc(readAtOnce);
    let tail: Buffer = Buffer.alloc(0);
    for (let at = 0; ;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return hash.digest().equals(tail);
      at += bytesRead;
      const known = Buffer.concat([tail, buffer.subarray(0, bytesRead)]);
      hash.update(known.subarray(0, -checksumBytes));
      tail = known.subarray(-checksumBytes);
      await turn();
    }
  } finally {
    await file.close();
  }
}
