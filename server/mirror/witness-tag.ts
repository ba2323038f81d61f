/** Pushes the heads of the daily check as a tag to the remote, which this server can't rewrite. */
import type { WitnessLine } from "../integrity/witness.ts";
import { git as printed } from "../repository/git-process.ts";
import type { OpenRemote } from "./remote.ts";

interface Repository {
  git: string;
  gitdir: string;
}

/** Tags the heads of a check. An existing tag stays. Every server makes the same tag. @throws RemoteProblem */
export async function pushWitness(open: OpenRemote, { git, gitdir }: Repository, line: WitnessLine): Promise<void> {
  if (!line.ok || line.main === null) return;
  const ref = `refs/tags/witness/${line.at.slice(0, 10)}`;
  if ((await open.list([ref])).size > 0) return;
  const content = tagContent(ref.slice("refs/tags/".length), line.main, line);
  const made = await printed(git, gitdir, ["hash-object", "-t", "tag", "-w", "--stdin"], { input: content });
  const oid = made.toString().trim();
  await open.push([{ ref, oid }]);
}

/** The tag marks `main`. It only names the head of `history`: the remote may not have that branch. */
function tagContent(name: string, main: string, { at, company, history }: WitnessLine): string {
  const tagger = `SOP Server <server@sop.invalid> ${Math.floor(Date.parse(at) / 1000)} +0000`;
  const heads = `main ${main}\nhistory ${history ?? "none"}`;
  return `object ${main}\ntype commit\ntag ${name}\ntagger ${tagger}\n\nHeads of ${company}, checked at ${at}\n\n${heads}\n`;
}
