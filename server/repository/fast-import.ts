/** Feeds a backlog to `git fast-import`, which finds the deltas for us. Refs are not moved: that is the committer's. */
import { once } from "node:events";
import type { CommitIds, RepoEvent } from "#core/repository/event.ts";
import { committer, commitBytes, objectId } from "#core/repository/objects.ts";
import { eventTags, type PlannedCommit, type Projected, type RepositoryState } from "#core/repository/project.ts";
import { hashTree } from "#core/repository/tree.ts";
import type { BacklogWriter } from "./backlog-writer.ts";
import { unlinkIfThere, type Disk } from "./disk.ts";
import { exitCode, startGit } from "./git-process.ts";
import { sha1 } from "./hashing.ts";

const flushSize = 256 * 1024;
const noCommit = "0".repeat(40);

export function fastImportBacklogWriter(disk: Disk, gitdir: string, git: string, token: string): BacklogWriter {
  const marksFile = `${gitdir}/objects/info/marks-${token}`;
  const options = ["--quiet", "--done", "--date-format=raw", `--export-marks=${marksFile}`];
  const child = startGit(git, gitdir, ["-c", "fastimport.unpackLimit=0", "fast-import", ...options]);
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => (complaints += chunk.toString("utf8").slice(0, 2000)));
  child.stdin.on("error", () => undefined);
  const ended = exitCode(child);
  ended.catch(() => undefined);

  const feed = new Feed();
  const events: RepoEvent[] = [];
  const parents: CommitIds = { main: null, history: null };
  const last: { main?: PlannedCommit; history?: PlannedCommit } = {};
  const marks: { mark: number; seq: number; branch: "main" | "history" }[] = [];

  const flush = async (): Promise<void> => {
    if (child.exitCode !== null) throw new Error(`git fast-import ended early: ${complaints.trim()}`);
    if (!child.stdin.write(feed.take())) await Promise.race([once(child.stdin, "drain"), ended]);
  };
  const commit = (state: RepositoryState, seq: number, plan: PlannedCommit): void => {
    const head = state[plan.branch].head;
    const first = last[plan.branch] === undefined;
    marks.push({ mark: marks.length + 1, seq, branch: plan.branch });
    feed.text(`commit refs/sopwright/${token}/${plan.branch}\nmark :${marks.length}\n`);
    feed.text(`author ${plan.author} ${plan.seconds} +0000\ncommitter ${committer} ${plan.seconds} +0000\n`);
    feed.data(Buffer.from(plan.message));
    if (first && head !== null) feed.text(`from ${head}\n`);
    for (const { path, oid } of plan.changes) feed.text(oid === null ? `D ${path}\n` : `M 100644 ${oid} ${path}\n`);
    feed.text("\n");
    last[plan.branch] = plan;
  };
  return {
    blob: (_type, _oid, content) => {
      feed.text("blob\n");
      feed.data(content);
    },
    add: async (state, event, commits) => {
      events.push(event);
      for (const plan of commits) commit(state, event.seq, plan);
      if (feed.size >= flushSize) await flush();
    },
    finish: async (state) => {
      // The branches were only needed to build on: let go of, they never become refs.
      for (const branch of ["history", "main"] as const) {
        if (last[branch] !== undefined) feed.text(`reset refs/sopwright/${token}/${branch}\nfrom ${noCommit}\n\n`);
      }
      feed.text("done\n");
      await flush();
      child.stdin.end();
      const code = await ended;
      if (code !== 0) throw new Error(`git fast-import failed (${code}): ${complaints.trim()}`);
      const oids = await readMarks(disk, marksFile);
      await unlinkIfThere(disk, marksFile);
      const bySeq = new Map<number, CommitIds>(events.map((event) => [event.seq, { main: null, history: null }]));
      for (const { mark, seq, branch } of marks) {
        const oid = oids.get(mark);
        const ids = bySeq.get(seq);
        if (oid === undefined || ids === undefined) throw new Error(`git fast-import lost event ${seq}`);
        ids[branch] = oid;
        parents[branch] = state[branch].head;
        state[branch].head = oid;
      }
      for (const branch of ["history", "main"] as const) {
        const plan = last[branch];
        if (plan !== undefined) assertSame(state, plan, parents[branch]);
      }
      return events.map((event) => {
        const ids = bySeq.get(event.seq) ?? { main: null, history: null };
        return { seq: event.seq, oids: ids, tags: eventTags(event, ids.main) } satisfies Projected;
      });
    },
    abort: async () => {
      child.kill("SIGKILL");
      await ended.catch(() => undefined);
      await unlinkIfThere(disk, marksFile).catch(() => undefined);
    },
  };
}

/** git's last commit must be the one we would have made: a check on both. */
function assertSame(state: RepositoryState, plan: PlannedCommit, parent: string | null): void {
  const tree = hashTree(state[plan.branch].tree, sha1);
  const ours = objectId("commit", commitBytes({ ...plan, tree, parent }), sha1);
  const theirs = state[plan.branch].head;
  if (ours !== theirs) throw new Error(`git fast-import made ${theirs} on ${plan.branch} where we make ${ours}`);
}

async function readMarks(disk: Disk, path: string): Promise<Map<number, string>> {
  const text = (await disk.readFile(path)).toString("latin1");
  const marks = new Map<number, string>();
  for (const [, mark, oid] of text.matchAll(/^:(\d+) ([0-9a-f]{40})$/gm)) marks.set(Number(mark), oid ?? "");
  return marks;
}

class Feed {
  size = 0;
  private parts: Uint8Array[] = [];

  text(text: string): void {
    this.push(Buffer.from(text));
  }

  data(content: Uint8Array): void {
    this.text(`data ${content.length}\n`);
    this.push(content);
    this.text("\n");
  }

  take(): Buffer {
    const taken = Buffer.concat(this.parts);
    this.parts = [];
    this.size = 0;
    return taken;
  }

  private push(bytes: Uint8Array): void {
    this.parts.push(bytes);
    this.size += bytes.length;
  }
}
