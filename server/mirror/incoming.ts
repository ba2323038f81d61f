/**
 * Follows the branch of the remote that people merge into. Its changes become proposals. Once all are decided, the
 * branch gets the published texts again by a merge of main, so that it never has to be forced.
 */
import type { IncomingDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { mainRef } from "../repository/bare-repository.ts";
import { realDisk } from "../repository/disk.ts";
import { isAncestor, runGit } from "../repository/git-process.ts";
import { readRef } from "../repository/refs.ts";
import { fetchRef, type FetchedBranch } from "./fetch.ts";
import { RemoteProblem } from "../outgoing/addresses.ts";
import { refusals } from "./refusals.ts";
import { openRemote } from "./remote.ts";
import { proposeCommits, type TakePass } from "./take.ts";

/**
 * Proposes the new changes of the remote's branch. Once all are decided, pushes main, or a merge of main, to the
 * branch.
 * @returns the new state of the branch
 * @throws RemoteProblem when the remote can't be used
 */
export async function followIncomingBranch(pass: TakePass, before: IncomingDocument): Promise<IncomingDocument> {
  const { services, git, mirror, remote, signal } = pass;
  const gitdir = services.repositories.path(mirror._id);
  const ours = await readRef(realDisk, gitdir, mainRef);
  if (ours === null) return before;
  const ref = `refs/heads/${before.branch}`;
  const open = await openRemote(remote, { git, hosts: services.config.mirrorHosts, gitdir, signal });
  const head = (await open.list([ref])).get(ref);
  const incoming: IncomingDocument = { ...before, polledAt: services.clock.now(), problem: null };
  if (head === undefined || (await isAncestor(git ?? "", gitdir, head, ours))) {
    if (head !== ours) incoming.problem = await pushOrProblem(() => open.push([{ ref, oid: ours }]), before.branch);
    return incoming.problem === null ? { ...incoming, head: ours, main: ours } : incoming;
  }
  const isNew = head !== before.head;
  if (!isNew && (before.main === ours || !(await isEveryChangeDecided(pass, before)))) return incoming;
  const fetched = await fetchRef(pass, ref);
  try {
    if (isNew) {
      incoming.taken = await proposeCommits(pass, fetched, ref, before.head);
      incoming.head = fetched.head;
      const { refused } = incoming.taken;
      incoming.statuses = [{ commit: fetched.head, refused, sent: null }, ...before.statuses].slice(0, statusesAtMost);
    }
    if (!(await isEveryChangeDecided(pass, incoming))) return incoming;
    const merged = await createMergeOfMain(pass, fetched, ours, before.branch);
    if (merged !== fetched.head) {
      incoming.problem = await pushOrProblem(() => fetched.open.push([{ ref, oid: merged }]), before.branch);
    }
    return incoming.problem === null ? { ...incoming, head: merged, main: ours } : incoming;
  } finally {
    await fetched.remove();
  }
}

const statusesAtMost = 20;

/** Counts the open proposals from the mirror. */
export function countOpenProposals({ db }: Pick<Services, "db">, companyId: string): Promise<number> {
  return db.forCompany(companyId).collection("proposals").countDocuments({ state: "open", source: "mirror" });
}

/**
 * Says whether all changes are proposed and decided. Before that, a merge of main would undo changes without a
 * decision.
 */
async function isEveryChangeDecided(pass: TakePass, { taken }: IncomingDocument): Promise<boolean> {
  return (taken?.refused ?? 0) === 0 && (await countOpenProposals(pass.services, pass.mirror._id)) === 0;
}

/**
 * Runs the push to a branch. If the remote refuses the push, or the branch just moved, the pass continues.
 * @returns the reason why the branch couldn't be updated, or null
 */
async function pushOrProblem(push: () => Promise<string[]>, branch: string): Promise<string | null> {
  try {
    const moved = await push();
    return moved.length === 0 ? null : refusals.branchMoved({ branch }).text;
  } catch (error) {
    if (error instanceof RemoteProblem) return error.message;
    throw error;
  }
}

/**
 * Creates a commit on top of the fetched branch with the files of main, in the temporary repository.
 * @returns the head of the branch if it already has those files
 */
async function createMergeOfMain(
  { git, services }: TakePass,
  fetched: FetchedBranch,
  ours: string,
  branch: string,
): Promise<string> {
  const { gitdir, head } = fetched;
  const run = async (args: string[], settings: string[] = []) => {
    const { code, stdout, stderr } = await runGit(git ?? "", gitdir, args, { as: "pushedObjects", settings });
    if (code !== 0) throw new Error(`git ${args[0]} failed: ${stderr.slice(0, 500)}`);
    return stdout.toString("utf8").trim();
  };
  const [theirTree, ourTree] = [await run(["rev-parse", `${head}^{tree}`]), await run(["rev-parse", `${ours}^{tree}`])];
  const hasMain = await isAncestor(git ?? "", gitdir, ours, head);
  if (hasMain && theirTree === ourTree) return head;
  const identity = ["user.name=SOP Server", "user.email=server@sop.invalid"];
  const message = [`Merge main into ${branch}`, "Its proposals are decided. These are the published texts."];
  const parents = hasMain ? [head] : [head, ours];
  const args = ["commit-tree", ourTree, ...parents.flatMap((oid) => ["-p", oid])];
  services.log.debug({ branch }, "a mirror's branch gets the published texts");
  return run([...args, ...message.flatMap((text) => ["-m", text])], identity);
}
