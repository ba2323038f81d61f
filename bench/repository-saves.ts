/** A repository while people save: how late its commits are, and what `git fsck` says during repacks. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readConfig } from "../server/config.ts";
import { findGit } from "../server/repository/git-process.ts";
import { createRepositories } from "../server/repository/repositories.ts";
import { createCompanyStory } from "../server/repository/testing/company-story.ts";
import { silentLog } from "../server/repository/testing/memory-ledger.ts";
import { openServices } from "../server/services.ts";
import { figureBesidePeer, round, type Figure } from "./figure.ts";
import { inFolder, quick, seed, serve, start, type Served } from "./repository-served.ts";

const perSecond = 50;
const seconds = quick ? 10 : 60;
const sopCount = 500;
const checks = quick ? 20 : 200;

interface Saved {
  answered: number;
  took: number;
}

/** From a save's answer to its commit on `history`. The peer is what git needs for one commit of such a file. */
export function lag(): AsyncGenerator<Figure> {
  return inFolder(async function* (dir) {
    const served = await serve(await seed(path.join(dir, "data"), sopCount));
    let heads: Map<string, number>;
    let saved: Map<string, Saved>;
    try {
      const watching = new AbortController();
      const watched = watchHead(served.gitdir, watching.signal);
      saved = await save(served);
      await wait(3_000);
      watching.abort();
      heads = await watched;
    } finally {
      await served.server.stop();
    }
    const late = await lags(served, saved, heads);
    const native = await commits(served.gitdir, path.join(dir, "work"));
    const what = `at ${perSecond} saves a second for ${seconds} s`;
    const name = `repository: lag of a commit ${what}, p99, beside git add and commit`;
    yield figureBesidePeer(name, "ms", p99(late), p99(native), "<= 1000 ms");
    yield { name: `repository: largest lag ${what}`, value: round(Math.max(...late)), unit: "ms" };
    yield {
      name: `repository: saves refused ${what}`,
      value: perSecond * seconds - saved.size,
      unit: "saves",
      goal: "= 0",
    };
    const answers = [...saved.values()].map(({ took }) => took);
    yield { name: `repository: answer of a save ${what}, p99`, value: round(p99(answers)), unit: "ms" };
  });
}

/** When each head was first seen. */
async function watchHead(gitdir: string, signal: AbortSignal): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  while (!signal.aborted) {
    const head = await readFile(`${gitdir}/refs/heads/history`, "latin1").catch(() => "");
    if (head !== "" && !seen.has(head.trim())) seen.set(head.trim(), performance.now());
    await wait(5);
  }
  return seen;
}

/** Saves of different SOPs at a fixed rate, whatever the answers take. @returns by `<id> <version>` */
async function save({ server, cookie, sops }: Served): Promise<Map<string, Saved>> {
  const saved = new Map<string, Saved>();
  const one = async (n: number) => {
    const began = performance.now();
    const answer = await fetch(`${server.url}/api/sops/${sops[n % sops.length]}`, {
      method: "PUT",
      headers: { cookie, origin: server.url, "content-type": "application/json" },
      body: JSON.stringify({ markdown: `## Purpose\n\nKeep pump ${n} safe.\n\n1. Check the valve ${n}.\n` }),
    });
    if (answer.status === 429) return;
    const { id, version } = (await answer.json()) as { id: string; version: number };
    if (!answer.ok) throw new Error(`save: ${answer.status}`);
    saved.set(`${id} ${version}`, { answered: performance.now(), took: performance.now() - began });
  };
  const running: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n < perSecond * seconds; n += 1) {
    await wait(Math.max(0, began + (n * 1000) / perSecond - performance.now()));
    running.push(one(n));
  }
  await Promise.all(running);
  return saved;
}

/** A save is committed when its commit, or a later one, is the head. */
async function lags({ env, companyId }: Served, saved: ReadonlyMap<string, Saved>, heads: ReadonlyMap<string, number>) {
  const services = await openServices({ config: readConfig({ ...env, LOG_LEVEL: "warn" }) });
  try {
    const events = await services.db
      .forCompany(companyId)
      .collection("repo_events")
      .find({}, { sort: { seq: -1 } });
    const late: number[] = [];
    let committed = Number.NaN;
    for (const { oids, items } of events) {
      committed = heads.get(oids.history ?? "") ?? committed;
      const save = saved.get(`${items[0]?.sopId} ${items[0]?.version}`);
      if (save !== undefined) late.push(Math.max(0, committed - save.answered));
    }
    if (late.length !== saved.size || late.some(Number.isNaN)) throw new Error("not all saves were committed");
    return late;
  } finally {
    await services.close();
  }
}

/** Milliseconds of 100 commits by native git, one after the other. */
async function commits(gitdir: string, work: string): Promise<number[]> {
  await start("git", ["clone", "-q", "-b", "history", `file://${gitdir}`, work]);
  const git = (...args: string[]) =>
    start("git", ["-C", work, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "gc.auto=0", ...args]);
  const files = (await git("ls-files", "sops")).stdout.split("\n").filter(Boolean);
  const taken: number[] = [];
  for (const file of files.slice(0, 100)) {
    const text = await readFile(path.join(work, file), "utf8");
    const began = performance.now();
    await writeFile(path.join(work, file), `${text}\nOne more line.\n`);
    await git("add", file);
    await git("commit", "-qm", `Change ${file}`);
    taken.push(performance.now() - began);
  }
  return taken;
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;
}

/**
 * Runs of `git fsck --strict` that complained while versions are saved and repacked. A repack of git takes files away
 * that a check beside it is about to read. The server's own check waits for it and looks again.
 */
export function fsck(): AsyncGenerator<Figure> {
  return inFolder(async function* (dir) {
    const story = createCompanyStory();
    const { companyId, ledger } = story;
    const repositories = createRepositories({ dir, ledger, git: findGit(), log: silentLog, looseLimit: 50 });
    for (let n = 0; n < 100; n += 1) story.create(`Procedure ${n}`, `1. Check ${n}\n`);
    await repositories.drain(companyId);
    let isOver = false;
    const saving = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const sop = story.sops[n % story.sops.length];
        if (sop) story.save(sop, sop.title, `1. Check ${n}\n`);
        await repositories.drain(companyId);
        await wait(50);
      }
    })();
    const complaints = { own: [] as string[], plain: [] as string[] };
    try {
      const args = ["-C", repositories.path(companyId), "fsck", "--full", "--strict", "--no-dangling", "--no-progress"];
      for (let run = 0; run < checks; run += 1) {
        const said = await start("git", args).catch((error: { stderr: string }) => error);
        if (said.stderr !== "") complaints.plain.push(said.stderr);
        const { findings } = await repositories.verify(companyId);
        if (findings.length > 0) complaints.own.push(JSON.stringify(findings));
      }
    } finally {
      isOver = true;
      await saving;
      await repositories.close();
    }
    for (const complaint of complaints.own) console.error(complaint);
    const name = "repository: checks with git fsck --strict that complain during saves and repacks, beside it alone";
    const [value, peer] = [complaints.own.length, complaints.plain.length];
    yield { name, value, unit: `of ${checks}`, peer, goal: "= 0" };
  });
}
