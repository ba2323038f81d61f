/** Turns changes of a branch at the remote into proposals, in the same way as a push. No change becomes a draft. */
import type { TakenCommits } from "#core/mirror/schema.ts";
import { newId } from "#core/ids.ts";
import { importPush } from "../git/push.ts";
import { PushRefused } from "../git/quarantine.ts";
import { actorOf } from "../http/identify.ts";
import type { Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { isAncestor } from "../repository/git-process.ts";
import type { MirrorDocument } from "../database/documents.ts";
import { fetchRef, type FetchedBranch } from "./fetch.ts";
import { RemoteProblem } from "../outgoing/addresses.ts";
import type { PushPass } from "./push.ts";
import { refusals } from "./refusals.ts";

export interface TakePass extends PushPass {
  services: Services;
  mirror: MirrorDocument;
}

const linesAtMost = 50;

/**
 * Turns commits at the remote into proposals.
 * @param since the last commit that was proposed; null: all commits that our main lacks
 */
export async function proposeCommits(
  pass: TakePass,
  { folder, gitdir, quarantine, head }: FetchedBranch,
  ref: string,
  since: string | null,
): Promise<TakenCommits> {
  const { services, git, signal } = pass;
  const lines: string[] = [];
  const addLines = (...said: string[]) => void lines.push(...said.slice(0, Math.max(0, linesAtMost - lines.length)));
  const isKnown = since !== null && (await isAncestor(git ?? "", gitdir, since, head));
  const identifyMirror = () => loadMirrorIdentity(pass);
  await identifyMirror();
  const origin = { requestId: newId(), ipAddress: null, userAgent: null };
  const takeResult = (proposed: number, refused: number) => ({
    ref,
    commit: head,
    at: services.clock.now(),
    proposed,
    refused,
    lines,
  });
  try {
    const call = {
      services,
      identify: identifyMirror,
      origin,
      quarantine,
      folder,
      commit: head,
      signal,
      say: addLines,
      source: "mirror",
    } as const;
    const { proposed, conflicts, refused } = await importPush({ ...call, ...(isKnown ? { base: since } : {}) });
    signal.throwIfAborted();
    return takeResult(proposed, conflicts + refused);
  } catch (error) {
    if (!(error instanceof PushRefused)) throw error;
    addLines(`${error.message}. Nothing was taken.`);
    return takeResult(0, 1);
  }
}

/** Proposes the commits of other people on a branch that the mirror doesn't follow: main, after it diverged. */
export async function proposeCommitsFromBranch(pass: TakePass, ref: string): Promise<TakenCommits> {
  const fetched = await fetchRef(pass, ref);
  try {
    return await proposeCommits(pass, fetched, ref, null);
  } finally {
    await fetched.remove();
  }
}

/**
 * Loads the identity for commits at the remote, whose authors have no user here: the administrator who last saved the
 * mirror's settings, with the present permissions.
 * @throws RemoteProblem if this administrator can't sign in
 */
async function loadMirrorIdentity({ services: { db, companies, clock }, mirror }: TakePass): Promise<Identity> {
  const user = await db.forCompany(mirror._id).collection("users").findOne({ _id: mirror.updatedBy, status: "active" });
  const company = await companies.get(mirror._id);
  if (!user || company?.status !== "active") throw new RemoteProblem(refusals.lostAdministrator());
  return { user, actor: actorOf(user, company, clock.now()), tokenId: null, session: null };
}
