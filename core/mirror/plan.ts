/** Plans the next push of a mirror by comparing the refs of the server and of the remote. */

/** Full names of refs (`refs/heads/main`) and the ids of the objects that they point to. */
export type Refs = ReadonlyMap<string, string>;

/** A ref that has a commit on the remote which the server didn't make. */
export interface Divergence {
  ref: string;
  /** The object id on the remote. */
  theirs: string;
  /** The object id on the server. */
  ours: string;
}

export interface MirrorPlan {
  /** Refs to create or to move forward. */
  pushes: { ref: string; oid: string }[];
  diverged: Divergence[];
}

/**
 * Plans a push without force: branches only move forward, and tags never move.
 * @param ours the refs to mirror
 * @param theirs the refs of the remote
 * @param behind branches of the remote whose commit is an ancestor of the server's
 */
export function planMirrorPush(ours: Refs, theirs: Refs, behind: ReadonlySet<string>): MirrorPlan {
  const plan: MirrorPlan = { pushes: [], diverged: [] };
  for (const [ref, oid] of ours) {
    const there = theirs.get(ref);
    if (there === oid) continue;
    if (there === undefined || behind.has(ref)) plan.pushes.push({ ref, oid });
    else plan.diverged.push({ ref, theirs: there, ours: oid });
  }
  return plan;
}

/** The command with which an administrator can reset a ref of the remote to the server's commit. */
export function resetCommand(url: string, { ref, theirs, ours }: Divergence): string {
  return `git push --force-with-lease=${ref}:${theirs} ${url} ${ours}:${ref}`;
}
