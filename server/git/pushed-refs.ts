/** Which refs a push can name. Nothing is ever stored under them: they say that this is a proposal. */
import type { PushCommand } from "./receive-pack.ts";

export interface RefRefusal {
  /** For git's list of refs. */
  reason: string;
  /** Commands that do it right. */
  ways: readonly string[];
}

const proposes = "git push origin HEAD:refs/for/main";
const taken = /^refs\/(?:for\/main|(?:for|heads)\/drafts\/[A-Za-z0-9][A-Za-z0-9._/-]{0,99})$/;

/** Null when the ref is taken. @param hasOne the push has named one that is taken before */
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
