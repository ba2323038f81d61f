/**
 * Versions per second on `history`, next to the usual ways. These are isomorphic-git add + commit in a work tree with
 * its cache, and native `git add` + `git commit`. For backlogs, the peer is `git fast-import` of the same commits. One
 * run, the same texts, alternating.
 */
import type { Figure } from "./figure.ts";
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as isomorphic from "isomorphic-git";
import { findGit } from "../server/repository/git-process.ts";
import { createRepositories, type Repositories } from "../server/repository/repositories.ts";
import { createCompanyStory, type CompanyStory } from "../server/repository/testing/company-story.ts";
import { silentLog } from "../server/repository/testing/memory-ledger.ts";

const quick = process.env["SOP_BENCH_QUICK"] === "1";
const files = 500;
const folders = 10;
const rounds = quick ? 2 : 6;
const perRound = quick ? 15 : 50;
const long = quick ? 600 : 5_000;
const stretch = quick ? 100 : 500;
const backlog = quick ? 600 : 3_000;

const words =
  "alert backup check device escalate form gauge handover inspect job key label meter note order pump".split(" ");

/** About 5 KB of Markdown, different for each seed. */
function text(seed: number): string {
  let state = seed * 2654435761 + 1;
  const next = (): string => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return words[(state >>> 16) % words.length] ?? "";
  };
  const line = (): string => `${Array.from({ length: 11 }, next).join(" ")}.`;
  const step = (_: unknown, index: number): string => `${index + 1}. ${line()}\n`;
  return `## Purpose\n\n${line()} ${line()}\n\n## Steps\n\n${Array.from({ length: 70 }, step).join("")}`;
}

function seededStory(): CompanyStory {
  const story = createCompanyStory();
  for (let file = 0; file < files; file += 1) {
    story.create(`Procedure ${file}`, text(file), { category: `folder-${file % folders}` });
  }
  return story;
}

function save(story: CompanyStory, count: number): void {
  const sop = story.sops[(count * 7) % files];
  if (sop !== undefined) story.save(sop, sop.title, text(files + count), [], { note: `Change ${count}` });
}

/** Milliseconds for each of `times` runs. */
async function timed(times: number, work: (run: number) => unknown): Promise<number[]> {
  const taken: number[] = [];
  for (let run = 0; run < times; run += 1) {
    const start = performance.now();
    await work(run);
    taken.push(performance.now() - start);
  }
  return taken;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const perSecond = (taken: readonly number[]): number => (taken.length * 1000) / sum(taken);
const rounded = (value: number): number => Number(value.toPrecision(4));

interface Peer {
  commit(count: number): unknown;
}

/** A work tree with the same files, as another program would keep it. */
function workTree(dir: string, git: string): void {
  for (let file = 0; file < files; file += 1) {
    const path = join(dir, pathOf(file));
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, text(file));
  }
  const env = { PATH: process.env["PATH"], HOME: dir };
  execFileSync(git, ["init", "-q", "-b", "history", dir], { env });
  execFileSync(git, ["-C", dir, "config", "user.name", "Grace Hopper"], { env });
  execFileSync(git, ["-C", dir, "config", "user.email", "u-7f3a@users.invalid"], { env });
  // The peers' background collection would overlap with our turn.
  execFileSync(git, ["-C", dir, "config", "gc.auto", "0"], { env });
  execFileSync(git, ["-C", dir, "add", "."], { env });
  execFileSync(git, ["-C", dir, "commit", "-q", "-m", "Start"], { env });
}

function pathOf(file: number): string {
  return `sops/folder-${file % folders}/procedure-${file}.md`;
}

function nativePeer(dir: string, git: string): Peer {
  workTree(dir, git);
  const env = { PATH: process.env["PATH"], HOME: dir };
  return {
    commit: (count) => {
      const path = pathOf((count * 7) % files);
      fs.writeFileSync(join(dir, path), text(files + count));
      execFileSync(git, ["-C", dir, "add", path], { env });
      execFileSync(git, ["-C", dir, "commit", "-q", "-m", `Change ${count}`], { env });
    },
  };
}

function isomorphicPeer(dir: string, git: string): Peer {
  workTree(dir, git);
  const cache = {};
  const author = { name: "Grace Hopper", email: "u-7f3a@users.invalid" };
  return {
    commit: async (count) => {
      const filepath = pathOf((count * 7) % files);
      await fs.promises.writeFile(join(dir, filepath), text(files + count));
      await isomorphic.add({ fs, dir, filepath, cache });
      await isomorphic.commit({ fs, dir, message: `Change ${count}`, author, cache });
    },
  };
}

function repositoriesIn(dir: string, story: CompanyStory, git: string | null): Repositories {
  // No repack while measuring: the peers don't have one either.
  return createRepositories({ dir, ledger: story.ledger, git, log: silentLog, looseLimit: Number.POSITIVE_INFINITY });
}

async function singleVersions(dir: string, git: string): Promise<Figure[]> {
  const story = seededStory();
  const repositories = repositoriesIn(dir, story, git);
  await repositories.drain(story.companyId);
  const peers = { isomorphic: isomorphicPeer(join(dir, "iso"), git), native: nativePeer(join(dir, "native"), git) };
  const taken: Record<"ours" | "isomorphic" | "native", number[]> = { ours: [], isomorphic: [], native: [] };
  let count = 0;
  const ours = (): Promise<void> => {
    save(story, (count += 1));
    return repositories.drain(story.companyId);
  };
  await timed(20, ours);
  await timed(5, (run) => peers.isomorphic.commit(run));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ["isomorphic", "native"] as const) {
      taken[name].push(...(await timed(perRound, (run) => peers[name].commit(10 + round * perRound + run))));
    }
    taken.ours.push(...(await timed(perRound * 2, ours)));
  }
  const value = perSecond(taken.ours);
  const figure = (peer: "isomorphic" | "native", name: string): Figure => ({
    name: `commit.single beside ${name}`,
    value: rounded(value),
    unit: "versions/s",
    peer: rounded(perSecond(taken[peer])),
    ratio: rounded(value / perSecond(taken[peer])),
  });
  await repositories.close();
  return [figure("isomorphic", "isomorphic-git add + commit"), figure("native", "git add + git commit")];
}

/** Compares the time of the last versions with that of the first: it must not grow with history. */
async function flatness(dir: string, git: string): Promise<Figure> {
  const story = seededStory();
  const repositories = repositoriesIn(dir, story, git);
  await repositories.drain(story.companyId);
  const commit = (run: number): Promise<void> => {
    save(story, run);
    return repositories.drain(story.companyId);
  };
  await timed(50, commit);
  const taken = await timed(long, commit);
  const first = perSecond(taken.slice(0, stretch));
  const last = perSecond(taken.slice(-stretch));
  await repositories.close();
  return {
    name: `commit.flat: last ${stretch} of ${long} beside the first ${stretch} (ratio of times)`,
    value: rounded(last),
    unit: "versions/s",
    peer: rounded(first),
    ratio: rounded(first / last),
  };
}

function fastImportAlone(dir: string, git: string, input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const stdin = fs.openSync(input, "r");
    const child = spawn(git, ["-C", dir, "fast-import", "--quiet", "--date-format=raw"], {
      stdio: [stdin, "ignore", "inherit"],
    });
    child.once("error", reject);
    child.once("close", (code) => {
      fs.closeSync(stdin);
      if (code === 0) resolve();
      else reject(new Error(`git fast-import ended with ${code}`));
    });
  });
}

/** The size of its objects in KB. */
function sizeOf(gitdir: string): number {
  const files = fs.readdirSync(join(gitdir, "objects"), { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((entry) => entry.isFile())
    .map((entry) => fs.statSync(join(entry.parentPath, entry.name)).size);
  return sum(sizes) / 1024;
}

/** A backlog without git, and a rebuild with it, next to `git fast-import` of the same commits. */
async function backlogs(dir: string, git: string): Promise<Figure[]> {
  const story = seededStory();
  for (let count = 1; count <= backlog; count += 1) save(story, count);
  const versions = story.ledger.stored.length;
  const first = repositoriesIn(join(dir, "first"), story, null);
  await first.drain(story.companyId);
  const input = join(dir, "input");
  const exported = ["-C", first.path(story.companyId), "fast-export", "--reencode=no", "history", "main"];
  fs.writeFileSync(input, execFileSync(git, exported, { maxBuffer: 1024 ** 3 }));
  await first.close();
  const taken: Record<"alone" | "backlog" | "rebuild", number[]> = { alone: [], backlog: [], rebuild: [] };
  const sizes = { alone: 0, rebuild: 0 };
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    const alone = join(dir, `alone-${round}.git`);
    execFileSync(git, ["init", "-q", "--bare", alone]);
    taken.alone.push(...(await timed(1, () => fastImportAlone(alone, git, input))));
    const plain = repositoriesIn(join(dir, `backlog-${round}`), story, null);
    taken.backlog.push(...(await timed(1, () => plain.drain(story.companyId))));
    await plain.close();
    const packed = repositoriesIn(join(dir, `rebuild-${round}`), story, git);
    taken.rebuild.push(...(await timed(1, () => packed.rebuild(story.companyId))));
    await packed.close();
    sizes.alone = sizeOf(alone);
    sizes.rebuild = sizeOf(packed.path(story.companyId));
  }
  const best = (name: keyof typeof taken): number => (versions * 1000) / Math.min(...taken[name]);
  const figure = (name: "backlog" | "rebuild"): Figure => ({
    name: `commit.${name} beside git fast-import alone`,
    value: rounded(best(name)),
    unit: "versions/s",
    peer: rounded(best("alone")),
    ratio: rounded(best(name) / best("alone")),
  });
  return [
    figure("backlog"),
    figure("rebuild"),
    {
      name: "commit.rebuild: size beside git fast-import alone",
      value: rounded(sizes.rebuild),
      unit: "KiB",
      peer: rounded(sizes.alone),
      ratio: rounded(sizes.rebuild / sizes.alone),
    },
  ];
}

export async function* run(): AsyncGenerator<Figure> {
  const git = findGit(process.env["PATH"]);
  if (git === null) throw new Error("the commit bench compares with git: install it");
  const dir = fs.mkdtempSync(join(tmpdir(), "sopwright-bench-"));
  try {
    yield* await singleVersions(join(dir, "single"), git);
    yield* await backlogs(fs.mkdtempSync(join(dir, "backlog-")), git);
    yield await flatness(join(dir, "flat"), git);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for await (const figure of run()) process.stdout.write(`${JSON.stringify(figure)}\n`);
}
