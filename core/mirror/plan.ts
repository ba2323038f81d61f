/** What a mirror needs: which refs of a company's repository the remote lacks, and where it has something else. */

/** Full names of refs (`refs/heads/main`) and the objects that they point at. */
export type Refs = ReadonlyMap<string, string>;

/** A ref where the remote has something that the server never made. */
export interface Divergence {
  ref: string;
  /** On the remote. */
  theirs: string;
  /** On the server. */
  ours: string;
}

export interface MirrorPlan {
  /** To create, or to move forward. */
  pushes: { ref: string; oid: string }[];
  diverged: Divergence[];
}

/**
 * Branches only move forward and tags never move: a mirror is never forced.
 * @param ours what the mirror gets
 * @param theirs what the remote has
 * @param behind branches of the remote whose commit is in the history of ours
 */
export function planMirror(ours: Refs, theirs: Refs, behind: ReadonlySet<string>): MirrorPlan {
  const plan: MirrorPlan = { pushes: [], diverged: [] };
  for (const [ref, oid] of ours) {
    const there = theirs.get(ref);
    if (there === oid) continue;
    if (there === undefined || behind.has(ref)) plan.pushes.push({ ref, oid });
    else plan.diverged.push({ ref, theirs: there, ours: oid });
  }
  return plan;
}

/** The command that gives a ref of the remote back to the server, for an administrator to run. */
export function resetCommand(url: string, { ref, theirs, ours }: Divergence): string {
  return `git push --force-with-lease=${ref}:${theirs} ${url} ${ours}:${ref}`;
}
