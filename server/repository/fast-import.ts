/** Feeds a backlog to `git fast-import`, which finds the deltas for us. Refs are not moved: that is the committer's. */
import { once } from "node:events";
import type { Branch, CommitIds, RepoEvent } from "#core/repository/event.ts";
import { commitBytes, objectId } from "#core/repository/objects.ts";
import { eventTags, type PlannedCommit, type Projected, type RepositoryState } from "#core/repository/project.ts";
import { hashTree } from "#core/repository/tree.ts";
import type { BacklogWriter } from "./backlog-writer.ts";
import { unlinkIfThere, type Disk } from "./disk.ts";
import { exitCode, startGit } from "./git-process.ts";
import { sha1 } from "./hashing.ts";
import { ImportStream } from "./import-stream.ts";

const flushSize = 256 * 1024;

interface Fed {
  event: RepoEvent;
  plans: { plan: PlannedCommit; mark: number }[];
}

export function fastImportBacklogWriter(disk: Disk, gitdir: string, git: string, token: string): BacklogWriter {
  const marksFile = `${gitdir}/objects/info/marks-${token}`;
  const options = ["--quiet", "--done", "--date-format=raw", `--export-marks=${marksFile}`];
  const child = startGit(git, gitdir, ["-c", "fastimport.unpackLimit=0", "fast-import", ...options]);
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => (complaints += chunk.toString("utf8").slice(0, 2000)));
  child.stdin.on("error", () => undefined);
  const ended = exitCode(child);
  ended.catch(() => undefined);

  const stream = new ImportStream(token);
  const fed: Fed[] = [];

  const flush = async (): Promise<void> => {
    if (child.exitCode !== null) throw new Error(`git fast-import ended early: ${complaints.trim()}`);
    if (!child.stdin.write(stream.take())) await Promise.race([once(child.stdin, "drain"), ended]);
  };
  return {
    asset: (_oid, content) => {
      stream.blob(content);
      return flush();
    },
    blob: (_type, _oid, content) => stream.blob(content),
    add: async (state, event, plans) => {
      fed.push({ event, plans: plans.map((plan) => ({ plan, mark: stream.commit(plan, state[plan.branch].head) })) });
      if (stream.size >= flushSize) await flush();
    },
    finish: async (state) => {
      stream.end();
      await flush();
      child.stdin.end();
      const code = await ended;
      if (code !== 0) throw new Error(`git fast-import failed (${code}): ${complaints.trim()}`);
      const oids = await readMarks(disk, marksFile);
      await unlinkIfThere(disk, marksFile);
      return adopt(state, fed, oids);
    },
    abort: async () => {
      child.kill("SIGKILL");
      await ended.catch(() => undefined);
      await unlinkIfThere(disk, marksFile).catch(() => undefined);
    },
  };
}

/** Takes over git's commits as the state's heads. The last one of each branch must be the one we would have made: a check on both. */
function adopt(state: RepositoryState, fed: readonly Fed[], oids: ReadonlyMap<number, string>): Projected[] {
  const last = new Map<Branch, { plan: PlannedCommit; parent: string | null }>();
  const projected = fed.map(({ event, plans }) => {
    const made: CommitIds = { main: null, history: null };
    for (const { plan, mark } of plans) {
      const oid = oids.get(mark);
      if (oid === undefined) throw new Error(`git fast-import lost event ${event.seq}`);
      last.set(plan.branch, { plan, parent: state[plan.branch].head });
      state[plan.branch].head = oid;
      made[plan.branch] = oid;
    }
    return { seq: event.seq, oids: made, tags: eventTags(event, made.main) };
  });
  for (const [branch, { plan, parent }] of last) {
    const tree = hashTree(state[branch].tree, sha1);
    const ours = objectId("commit", commitBytes({ ...plan, tree, parent }), sha1);
    const theirs = state[branch].head;
    if (ours !== theirs) throw new Error(`git fast-import made ${theirs} on ${branch} where we make ${ours}`);
  }
  return projected;
}

async function readMarks(disk: Disk, path: string): Promise<Map<number, string>> {
  const text = (await disk.readFile(path)).toString("latin1");
  const marks = new Map<number, string>();
  for (const [, mark, oid] of text.matchAll(/^:(\d+) ([0-9a-f]{40})$/gm)) marks.set(Number(mark), oid ?? "");
  return marks;
}
