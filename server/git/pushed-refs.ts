/**
 * Decides which refs a push can name. The server never stores these refs: they only show that the push is a proposal.
 */
import type { PushCommand } from "./receive-pack.ts";

export interface RefRefusal {
  /** The reason as git shows it in its list of refs. */
  reason: string;
  /** Commands that work instead. */
  ways: readonly string[];
}

const proposes = "git push origin HEAD:refs/for/main";
const taken = /^refs\/(?:for\/main|(?:for|heads)\/drafts\/[A-Za-z0-9][A-Za-z0-9._/-]{0,99})$/;

/**
 * Returns why a push can't name the ref; null if it can.
 * @param hasOne true if the push already named an accepted ref
 */
export function refusalOfRef({ ref, from, to }: PushCommand, hasOne: boolean): RefRefusal | null {
  if (to === null) return { reason: "nothing is deleted by a push", ways: ["archive an SOP in the browser"] };
  if (ref.startsWith("refs/tags/")) return { reason: "tags are made when an SOP is published", ways: [proposes] };
  if (ref === "refs/heads/main" || ref === "refs/heads/history") {
    const made = ref === "refs/heads/main" ? "published SOPs" : "saved versions";
    return { reason: `this branch is made from ${made}, and is never pushed or forced`, ways: [proposes] };
  }
  if (!taken.test(ref))
    return { reason: "no such branch is taken", ways: [proposes, "git push origin HEAD:refs/for/drafts/<name>"] };
  if (from !== null)
    return { reason: "no branch of that name is kept here", ways: ["git fetch --prune origin", proposes] };
  return hasOne ? { reason: "push one branch at a time", ways: [proposes] } : null;
}
