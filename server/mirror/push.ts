/** Pushes the commits that a mirror lacks, or finds that the remote diverged. It never forces a push. */
import { planMirrorPush, type Divergence, type Refs } from "#core/mirror/plan.ts";
import { approvalsRef } from "#core/repository/approval-notes.ts";
import type { MirrorDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { loadLastVerification, type WitnessLine } from "../integrity/witness.ts";
import { readGitOutput as printed, isAncestor } from "../repository/git-process.ts";
import { historyRef, mainRef } from "../repository/bare-repository.ts";
import { hasStandIns } from "../repository/stand-ins.ts";
import { RemoteProblem } from "../outgoing/addresses.ts";
import { openRemote, type OpenRemote, type RemoteRepository } from "./remote.ts";
import { refusals } from "./refusals.ts";

interface GitRepository {
  git: string;
  gitdir: string;
}

export interface PushPass {
  services: Pick<Services, "repositories" | "config" | "db">;
  git: string | null;
  mirror: Pick<MirrorDocument, "_id" | "history" | "restricted" | "witness" | "witnessedAt">;
  remote: RemoteRepository;
  signal: AbortSignal;
}

export interface PushedRefs {
  /** The last event that the remote has after the push. */
  seq: number;
  main: string | null;
  /** The number of refs that were created or moved, without the tag of the daily check. */
  refs: number;
  /** The time of the last daily check whose heads are a tag at the remote. */
  witnessedAt: string | null;
  /** The refs that diverged at the remote. If there is one, nothing was pushed. */
  diverged: Divergence[];
}

/**
 * Commits waiting events, then pushes the commits, notes and tags that the mirror lacks.
 * @throws RemoteProblem when the remote can't be used
 */
export async function pushMirror(pass: PushPass): Promise<PushedRefs> {
  const { services, git, mirror, remote, signal } = pass;
  const { repositories, config } = services;
  const gitdir = repositories.path(mirror._id);
  await repositories.drain(mirror._id);
  // commits with stand-ins are replaced after a repair, but a mirror is never forced
  if (hasStandIns(gitdir)) throw new RemoteProblem(refusals.damaged());
  const open = await openRemote(remote, { git, hosts: config.mirrorHosts, gitdir, signal });
  let pushed = await pushOnce(pass, open, gitdir);
  if (pushed.diverged.length > 0) {
    // another server may have just pushed commits that this server doesn't have yet
    await repositories.drain(mirror._id);
    pushed = await pushOnce(pass, open, gitdir);
  }
  const last =
    mirror.witness && pushed.diverged.length === 0 ? await loadLastVerification(services.db, mirror._id) : null;
  const line = dailyCheckToPush(mirror, last);
  if (line === null) return { ...pushed, witnessedAt: mirror.witnessedAt ?? null };
  await pushHeadsTag(open, { git: git ?? "", gitdir }, line);
  return { ...pushed, witnessedAt: line.at };
}

/**
 * Returns the last daily check if its heads should be a tag at the remote and aren't yet; null otherwise.
 * @param last the recorded check of the company
 */
export function dailyCheckToPush(
  { witness, witnessedAt }: Pick<MirrorDocument, "witness" | "witnessedAt">,
  last: WitnessLine | null,
): WitnessLine | null {
  return witness && last?.at !== witnessedAt ? last : null;
}

async function pushOnce(
  { services, git, mirror }: PushPass,
  open: OpenRemote,
  gitdir: string,
): Promise<Omit<PushedRefs, "witnessedAt">> {
  const { seq } = await services.repositories.head(mirror._id);
  const ours = await listLocalRefs(git ?? "", gitdir, mirror.history);
  // the heads are read first: otherwise they could include an SOP that was restricted after the check
  await assertRestrictedSopsAllowed(services, mirror);
  const theirs = await open.list([...ours.keys()].filter(isMovableRef).concat("refs/tags/*"));
  const plan = planMirrorPush(ours, theirs, await findRefsBehindOurs(git ?? "", gitdir, ours, theirs));
  const result = { seq, main: ours.get(mainRef) ?? null, refs: plan.pushes.length };
  if (plan.diverged.length > 0) return { ...result, refs: 0, diverged: plan.diverged };
  const moved = plan.pushes.length > 0 ? await open.push(plan.pushes) : [];
  if (moved.length === 0) return { ...result, diverged: [] };
  const now = await open.list(moved);
  const diverged = moved.map((ref) => ({ ref, theirs: now.get(ref) ?? "", ours: ours.get(ref) ?? "" }));
  return { ...result, refs: 0, diverged };
}

/**
 * Refuses to push restricted SOPs unless an administrator allowed it, because all readers of the remote can read them.
 */
async function assertRestrictedSopsAllowed(
  { db }: Pick<Services, "db">,
  { _id, history, restricted }: PushPass["mirror"],
): Promise<void> {
  if (restricted) return;
  const company = db.forCompany(_id);
  const found = await company
    .collection("sops")
    .find({ restricted: true }, { projection: { published: 1, lastPublished: 1 } });
  if (found.length === 0) return;
  // `main` and tags contain every SOP that was ever published
  const once = await company
    .collection("published_periods")
    .find({ sopId: { $in: found.map((sop) => sop._id) } }, { projection: { sopId: 1 } });
  const everPublished = new Set(once.map(({ sopId }) => sopId));
  const going = found.filter((sop) => history || sop.published || sop.lastPublished || everPublished.has(sop._id));
  const count = going.length;
  if (count === 0) return;
  throw new RemoteProblem(refusals.restricted({ count }));
}

/** Says whether a ref can move. Tags never move. */
const isMovableRef = (ref: string) => !ref.startsWith("refs/tags/");

async function listLocalRefs(git: string, gitdir: string, history: boolean): Promise<Refs> {
  const branches = history ? [mainRef, historyRef] : [mainRef];
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", ...branches, approvalsRef, "refs/tags"];
  const lines = (await printed(git, gitdir, args)).toString("utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
}

/** Finds the branches and notes whose commit at the remote is an ancestor of ours. */
async function findRefsBehindOurs(git: string, gitdir: string, ours: Refs, theirs: Refs): Promise<Set<string>> {
  const behind = new Set<string>();
  for (const [ref, oid] of ours) {
    const there = theirs.get(ref);
    if (!isMovableRef(ref) || there === undefined || there === oid) continue;
    if (await isAncestor(git, gitdir, there, oid)) behind.add(ref);
  }
  return behind;
}

/**
 * Tags the heads of the daily check at the remote, where this server can't change a tag. An existing tag stays. Every
 * server makes the same tag.
 * @throws RemoteProblem
 */
async function pushHeadsTag(open: OpenRemote, { git, gitdir }: GitRepository, line: WitnessLine): Promise<void> {
  if (!line.ok || line.main === null) return;
  const ref = `refs/tags/witness/${line.at.slice(0, 10)}`;
  if ((await open.list([ref])).size > 0) return;
  const content = tagContent(ref.slice("refs/tags/".length), line.main, line);
  const made = await printed(git, gitdir, ["hash-object", "-t", "tag", "-w", "--stdin"], { input: content });
  const oid = made.toString().trim();
  await open.push([{ ref, oid }]);
}

/**
 * Returns the content of the tag, which marks `main`. It only names the head of `history`, because the remote may not
 * have that branch.
 */
function tagContent(name: string, main: string, { at, company, history }: WitnessLine): string {
  const tagger = `SOP Server <server@sop.invalid> ${Math.floor(Date.parse(at) / 1000)} +0000`;
  const heads = `main ${main}\nhistory ${history ?? "none"}`;
  return `object ${main}\ntype commit\ntag ${name}\ntagger ${tagger}\n\nHeads of ${company}, checked at ${at}\n\n${heads}\n`;
}
