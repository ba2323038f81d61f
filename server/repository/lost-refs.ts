/**
 * Compares the refs with the ledger. Git treats a missing ref as one that never existed, so clients wouldn't notice
 * that a ref is missing.
 */
import { headFile, movingRefs } from "./bare-repository.ts";
import { readIfThere } from "./disk.ts";
import { isTagOfOperators, readPackedRefs, readRef } from "./refs.ts";
import { hasStandIns } from "./stand-ins.ts";
import { tagsOfEvent, type VerifySettings } from "./verify-ledger.ts";

const chunk = 200;

/**
 * Finds refs that differ from the ledger.
 * @returns the names of branches that point at an earlier commit, of tags that differ, and of refs that no event made
 */
export async function findDifferingRefs(
  { disk, ledger, turn }: Pick<VerifySettings, "disk" | "ledger" | "turn">,
  companyId: string,
  gitdir: string,
): Promise<string[]> {
  // the commits of a repository with notes aren't those of the ledger
  if (hasStandIns(gitdir)) return [];
  const known = new Set<string>(Object.values(movingRefs));
  const tags = new Map<string, string>();
  const heads = { main: [] as string[], history: [] as string[] };
  for (let next = 0; ;) {
    const events = await ledger.events(companyId, next, chunk);
    for (const event of events) {
      next = event.seq + 1;
      if (event.state === "pending") for (const { name } of tagsOfEvent(event, "")) known.add(`refs/tags/${name}`);
      if (event.state === "pending") continue;
      for (const branch of ["main", "history"] as const) {
        const oid = event.oids[branch];
        if (oid !== null && heads[branch].at(-1) !== oid) heads[branch].push(oid);
      }
      for (const { name, oid } of tagsOfEvent(event, event.oids.main)) {
        const tag = `refs/tags/${name}`;
        if (!tags.has(tag)) tags.set(tag, oid);
      }
    }
    if (events.length < chunk) break;
    await turn();
  }
  // the refs are read after the ledger: the ledger is written last, so the refs can only be ahead of it
  const onDisk = await readPackedRefs(disk, gitdir, "");
  const lost = [...tags].flatMap(([name, oid]) => (onDisk.get(name) === oid ? [] : [name]));
  for (const name of onDisk.keys()) if (!tags.has(name) && !known.has(name) && !isTagOfOperators(name)) lost.push(name);
  const head = await readIfThere(disk, `${gitdir}/HEAD`);
  if (head?.toString("latin1") !== headFile) lost.push("HEAD");
  for (const branch of ["main", "history"] as const) {
    const oid = await readRef(disk, gitdir, movingRefs[branch]);
    const isEarlier = oid === null ? heads[branch].length > 0 : heads[branch].slice(0, -1).includes(oid);
    if (isEarlier) lost.push(branch);
  }
  return lost;
}
