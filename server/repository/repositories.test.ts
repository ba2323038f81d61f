import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { realDisk, type Disk } from "./disk.ts";
import { createRepositories, type Repositories, type RepositoriesOptions } from "./repositories.ts";
import { createCompanyStory, type CompanyStory } from "./testing/company-story.ts";
import { goldenStory } from "./testing/golden-story.ts";
import { silentLog } from "./testing/memory-ledger.ts";
import { binary, nativeGit, scratchFolder } from "./testing/scratch.ts";

const gits = binary === null ? [null] : [binary, null];

function serve(story: CompanyStory, dir: string, options: Partial<RepositoriesOptions> = {}): Repositories {
  return createRepositories({ dir, ledger: story.ledger, log: silentLog, ...options });
}

/** The disk, with each call told. */
function watchedDisk(onCall: (name: string) => void): Disk {
  return new Proxy(realDisk, {
    get(disk, name, receiver) {
      onCall(String(name));
      return Reflect.get(disk, name, receiver);
    },
  });
}

function loose(path: string): number {
  const folders = readdirSync(`${path}/objects`).filter((name) => name.length === 2);
  return folders.reduce((count, folder) => count + readdirSync(`${path}/objects/${folder}`).length, 0);
}

describe.each(gits)("repositories (git: %s)", (git) => {
  it("start with a root commit of .sop alone, on both branches", async () => {
    const story = createCompanyStory();
    const repositories = serve(story, scratchFolder(), { git });
    await repositories.drain(story.companyId);
    const head = await repositories.head(story.companyId);
    expect(head.main).toBe(head.history);
    expect(head).toMatchObject({ seq: 0, lag: 0 });
    if (binary === null) return;
    const files = nativeGit(repositories.path(story.companyId), "ls-tree", "-r", "--name-only", "HEAD");
    expect(files).toBe(".sop/categories.yml\n.sop/repo.yml\n");
  });

  it("continue in a new process", async () => {
    const story = goldenStory();
    const later = story.ledger.stored.splice(17);
    const dir = scratchFolder();
    const first = serve(story, dir, { git });
    await first.drain(story.companyId);
    expect(await first.head(story.companyId)).toMatchObject({ seq: 16, lag: 0 });
    await first.close();
    story.ledger.stored.push(...later);
    const second = serve(story, dir, { git });
    expect(await second.head(story.companyId)).toMatchObject({ seq: 16, lag: 25 });
    await second.drain(story.companyId);
    expect((await second.verify(story.companyId)).findings).toEqual([]);
  });

  it("have the same ids on every server, and compare them", async () => {
    const story = goldenStory();
    const [one, other] = [
      serve(story, scratchFolder(), { git }),
      serve(story, scratchFolder(), { git: null, eventsAtOnce: 1 }),
    ];
    await one.drain(story.companyId);
    await other.drain(story.companyId);
    expect(await other.head(story.companyId)).toEqual(await one.head(story.companyId));
    const item = story.ledger.stored[30]?.items[0];
    if (item !== undefined) item.title = "Changed after it was committed";
    const third = serve(story, scratchFolder(), { git });
    await third.drain(story.companyId);
    const findings = (await third.verify(story.companyId)).findings.map(({ message }) => message);
    expect(findings).toContainEqual(expect.stringMatching(/^event 30 makes/));
    expect(findings).toContain("it has a note in place of event 30, so its commits aren't those of the ledger");
  });

  it("are rebuilt to the same heads, deleted or not", async () => {
    const story = goldenStory();
    const dir = scratchFolder();
    const repositories = serve(story, dir, { git });
    await repositories.drain(story.companyId);
    const head = await repositories.head(story.companyId);
    const path = repositories.path(story.companyId);
    expect(await repositories.rebuild(story.companyId)).toEqual(head);
    expect(loose(path) === 0).toBe(git !== null);
    rmSync(path, { recursive: true });
    expect(await repositories.rebuild(story.companyId)).toEqual(head);
    expect(readdirSync(dir)).toEqual([`${story.companyId}.git`]);
    story.create("After the rebuild", "x\n");
    await repositories.drain(story.companyId);
    expect((await repositories.verify(story.companyId)).findings).toEqual([]);
  });

  it("are rebuilt when a ref names no commit", async () => {
    const story = goldenStory();
    const dir = scratchFolder();
    const first = serve(story, dir, { git });
    await first.drain(story.companyId);
    const head = await first.head(story.companyId);
    await first.close();
    for (const branch of ["main", "history"]) {
      writeFileSync(`${first.path(story.companyId)}/refs/heads/${branch}`, "rotten\n");
      const second = serve(story, dir, { git });
      await second.drain(story.companyId);
      expect(await second.head(story.companyId)).toEqual(head);
      expect((await second.verify(story.companyId)).findings).toEqual([]);
      await second.close();
    }
  });

  it("are rebuilt when a head, a tree or a recent object is unreadable", async () => {
    const story = goldenStory();
    story.ledger.stored.splice(12);
    const dir = scratchFolder();
    const first = serve(story, dir, { git });
    await first.drain(story.companyId);
    const head = await first.head(story.companyId);
    const path = first.path(story.companyId);
    const object = (oid: string): string => `${path}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
    const damages = [
      () => truncateSync(object(head.history ?? ""), 10),
      () => rmSync(object(head.main ?? "")),
      () => truncateSync(object(story.ledger.stored[5]?.oids.history ?? ""), 0),
      () => writeFileSync(`${path}/refs/heads/history`, `${"1".repeat(40)}\n`),
      () => rmSync(`${path}/HEAD`),
      () => rmSync(path, { recursive: true }),
    ];
    for (const [index, damage] of damages.entries()) {
      damage();
      const next = serve(story, dir, { git });
      await next.drain(story.companyId);
      expect({ index, head: await next.head(story.companyId) }).toEqual({ index, head });
      expect((await next.verify(story.companyId)).findings).toEqual([]);
    }
  });

  it("are rebuilt when deleted under a running server", async () => {
    const story = goldenStory();
    story.ledger.stored.splice(12);
    const repositories = serve(story, scratchFolder(), { git });
    await repositories.drain(story.companyId);
    rmSync(repositories.path(story.companyId), { recursive: true });
    story.setCategories([], { note: "Goes on" });
    await repositories.drain(story.companyId);
    expect((await repositories.verify(story.companyId)).findings).toEqual([]);
  });

  it("allow two committers on one disk: the same bytes, the same ids", async () => {
    const story = goldenStory();
    const waiting = story.ledger.stored.splice(1);
    const dir = scratchFolder();
    const racers = [
      serve(story, dir, { git }),
      serve(story, dir, { git: null }),
      serve(story, dir, { git, eventsAtOnce: 4 }),
    ];
    await racers[0]?.drain(story.companyId);
    while (waiting.length > 0) {
      story.ledger.stored.push(...waiting.splice(0, 6));
      await Promise.all(racers.map((racer) => racer.drain(story.companyId)));
    }
    const heads = await Promise.all(racers.map((racer) => racer.head(story.companyId)));
    expect(new Set(heads.map((head) => JSON.stringify(head))).size).toBe(1);
    for (const racer of racers) expect((await racer.verify(story.companyId)).findings).toEqual([]);
  });
});

/** How many objects the packs hold as a difference from another one. */
function deltas(path: string): number {
  const indexes = readdirSync(`${path}/objects/pack`).filter((name) => name.endsWith(".idx"));
  const lines = indexes.flatMap((name) => nativeGit(path, "verify-pack", "-v", `objects/pack/${name}`).split("\n"));
  return lines.filter((line) => /^[0-9a-f]{40} blob( +\d+){4} [0-9a-f]{40}$/.test(line.trim())).length;
}

/** One SOP whose 60 versions differ in one line. */
function similarVersions(): CompanyStory {
  const story = createCompanyStory();
  const steps = Array.from({ length: 80 }, (_, index) => `${index + 1}. Check valve ${index * 7919}\n`).join("");
  const sop = story.create("Check the valves", steps);
  for (let version = 2; version <= 60; version += 1) story.save(sop, sop.title, `${steps}\nChange ${version}\n`);
  return story;
}

describe.skipIf(binary === null)("repositories beside a git binary", () => {
  it("repack during commits and lose nothing", async () => {
    const story = goldenStory();
    const waiting = story.ledger.stored.splice(30);
    const repositories = serve(story, scratchFolder(), { git: binary, looseLimit: 60 });
    await repositories.drain(story.companyId);
    const path = repositories.path(story.companyId);
    const tidied = repositories.repack(story.companyId);
    story.ledger.stored.push(...waiting);
    await repositories.drain(story.companyId);
    await tidied;
    await repositories.repack(story.companyId, true);
    expect(loose(path)).toBe(0);
    expect((await repositories.verify(story.companyId)).findings).toEqual([]);
    story.create("After the repack", "x\n");
    await repositories.drain(story.companyId);
    expect((await repositories.verify(story.companyId)).findings).toEqual([]);
    expect(existsSync(`${path}/packed-refs.lock`)).toBe(false);
    await repositories.close();
  });

  it("store similar versions as differences after a rebuild", async () => {
    const story = similarVersions();
    const repositories = serve(story, scratchFolder(), { git: binary });
    await repositories.drain(story.companyId);
    await repositories.rebuild(story.companyId);
    expect(deltas(repositories.path(story.companyId))).toBeGreaterThan(50);
    expect((await repositories.verify(story.companyId)).findings).toEqual([]);
    await repositories.close();
  });

  it("pack during a long backlog and during a rebuild", async () => {
    const story = similarVersions();
    let most = 0;
    const watched = (gitdir: () => string): typeof story.ledger.events => {
      return (...asked) => {
        if (existsSync(gitdir())) most = Math.max(most, loose(gitdir()));
        return story.ledger.events(...asked);
      };
    };
    const ledger = { ...story.ledger };
    const options = { git: binary, looseLimit: 1, eventsAtOnce: 10, ledger };
    const repositories = serve(story, scratchFolder(), options);
    const path = repositories.path(story.companyId);
    ledger.events = watched(() => path);
    await repositories.drain(story.companyId);
    ledger.events = watched(() => `${path}.new`);
    await repositories.rebuild(story.companyId);
    // 61 events make 300 objects; git packs 100, and the events before it looks again make 50
    expect(most).toBeGreaterThan(20);
    expect(most).toBeLessThan(150);
    expect((await repositories.verify(story.companyId)).findings).toEqual([]);
    await repositories.close();
  });

  it("store similar versions as differences after a backlog that is most of the history", async () => {
    const story = similarVersions();
    const repositories = serve(story, scratchFolder(), { git: binary });
    await repositories.drain(story.companyId);
    await repositories.repack(story.companyId);
    expect(deltas(repositories.path(story.companyId))).toBeGreaterThan(50);
    await repositories.close();
  });

  it("end a repack and what it started when they are closed, and the next one does its work", async () => {
    const dir = scratchFolder();
    const [runs, slowGit] = [join(dir, "repack-runs"), join(dir, "slow-git")];
    const script = [
      "#!/bin/sh",
      // a helper of its own, as git has
      `case "$*" in *" repack "*) sleep 1000 & echo $! >${runs}.new; mv ${runs}.new ${runs}; wait;; esac`,
      `exec ${binary} "$@"`,
    ];
    writeFileSync(slowGit, script.join("\n"), { mode: 0o755 });
    const story = similarVersions();
    const repositories = serve(story, join(dir, "repositories"), { git: slowGit });
    await repositories.drain(story.companyId);
    await vi.waitFor(() => expect(existsSync(runs)).toBe(true), { timeout: 10_000 });
    await repositories.close();
    const helper = Number(readFileSync(runs, "utf8"));
    await vi.waitFor(() => expect(() => process.kill(helper, 0)).toThrow("ESRCH"), { timeout: 10_000 });
    const next = serve(story, join(dir, "repositories"), { git: binary });
    await next.check(story.companyId);
    await next.repack(story.companyId);
    expect(deltas(next.path(story.companyId))).toBeGreaterThan(50);
    expect((await next.verify(story.companyId)).findings).toEqual([]);
    await next.close();
  });

  it("find no fault in what a repack takes away while they look", async () => {
    const dir = scratchFolder();
    const [runs, looked] = [join(dir, "repack-runs"), join(dir, "looked")];
    const slowGit = join(dir, "slow-git");
    const script = [
      "#!/bin/sh",
      `case "$*" in`,
      `*" repack "*) touch ${runs}; while [ ! -e ${looked} ]; do sleep 0.02; done; sleep 0.5; rm ${runs};;`,
      `*" fsck "*) if [ -e ${runs} ]; then touch ${looked}; echo "error: object missing" >&2; exit 1; fi;;`,
      "esac",
      `exec ${binary} "$@"`,
    ];
    writeFileSync(slowGit, script.join("\n"), { mode: 0o755 });
    const story = goldenStory();
    const repositories = serve(story, join(dir, "repositories"), { git: slowGit });
    await repositories.drain(story.companyId);
    const repacking = repositories.repack(story.companyId);
    await vi.waitFor(() => expect(existsSync(runs)).toBe(true), { timeout: 10_000 });
    expect((await repositories.verify(story.companyId)).findings).toEqual([]);
    expect(existsSync(looked)).toBe(true);
    await repacking;
    await repositories.close();
  });

  it("keep objects that no ref reaches yet when they repack in full", async () => {
    const story = similarVersions();
    const repositories = serve(story, scratchFolder(), { git: binary });
    await repositories.drain(story.companyId);
    await repositories.close();
    const path = repositories.path(story.companyId);
    const history = nativeGit(path, "rev-parse", "history").trim();
    nativeGit(path, "update-ref", "refs/heads/history", nativeGit(path, "rev-parse", "history~5").trim());
    await repositories.repack(story.companyId, true);
    expect(nativeGit(path, "cat-file", "-t", history).trim()).toBe("commit");
  });
});

describe("repositories", () => {
  it("leave the thread to others after each event of a backlog", async () => {
    const story = createCompanyStory();
    for (let index = 0; index < 100; index += 1) story.create(`SOP ${index}`, "x\n");
    let turns = 0;
    let isDone = false;
    const madeAt = new Map<number, number>();
    const events: typeof story.ledger.events = async (...asked) =>
      (await story.ledger.events(...asked)).map((event) =>
        Object.defineProperty({ ...event }, "formatVersion", {
          get() {
            madeAt.set(event.seq, turns);
            return event.formatVersion;
          },
        }),
      );
    const repositories = serve(story, scratchFolder(), { git: null, ledger: { ...story.ledger, events } });
    const draining = repositories.drain(story.companyId).finally(() => {
      isDone = true;
    });
    for (; !isDone; turns += 1) await setImmediate();
    await draining;
    expect(madeAt.size).toBe(101);
    expect(new Set(madeAt.values()).size).toBe(101);
    await repositories.close();
  });

  it("include the next events when woken many times", async () => {
    const story = createCompanyStory();
    const repositories = serve(story, scratchFolder());
    for (let index = 0; index < 20; index += 1) {
      story.create(`SOP ${index}`, "x\n");
      repositories.wake(story.companyId);
    }
    await repositories.drain(story.companyId);
    expect(await repositories.head(story.companyId)).toMatchObject({ seq: 20, lag: 0 });
    await repositories.close();
  });

  it("are whole after a check at the start, when a loss of power tore a file", async () => {
    const story = goldenStory();
    const dir = scratchFolder();
    const first = serve(story, dir, { git: binary });
    await first.drain(story.companyId);
    await first.close();
    const objects = join(first.path(story.companyId), "objects");
    const folder = readdirSync(objects).find(
      (name) => name.length === 2 && readdirSync(join(objects, name)).length > 0,
    );
    const [name] = readdirSync(join(objects, folder ?? ""));
    truncateSync(join(objects, folder ?? "", name ?? ""), 5);
    const second = serve(story, dir, { git: binary });
    expect((await second.verify(story.companyId)).ok).toBe(false);
    await second.check(story.companyId);
    expect((await second.verify(story.companyId)).findings).toEqual([]);
    await second.close();
  });

  it("log errors on waking instead of throwing", async () => {
    const story = createCompanyStory();
    const errors: string[] = [];
    const log = { ...silentLog, error: (_details: object, message: string) => errors.push(message) };
    const ledger = { ...story.ledger, events: () => Promise.reject(new Error("the database is away")) };
    const repositories = createRepositories({ dir: scratchFolder(), ledger, log });
    repositories.wake(story.companyId);
    await expect(repositories.drain(story.companyId)).rejects.toThrow("the database is away");
    await repositories.close();
    expect(errors).toEqual(["commits to the repository wait: the database is away"]);
  });

  it("leave the disk alone once they are closed, also when a drain ends while they close", async () => {
    const story = createCompanyStory();
    for (let index = 0; index < 5; index += 1) story.create(`SOP ${index}`, "x\n");
    let closed = false;
    const late: string[] = [];
    const disk = watchedDisk((call) => closed && late.push(call));
    const repositories = serve(story, scratchFolder(), { disk, git: binary, looseLimit: 1 });
    const draining = repositories.drain(story.companyId);
    await repositories.close();
    closed = true;
    await draining;
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(late).toEqual([]);
  });

  it("refuse ids that aren't a company's", async () => {
    const repositories = serve(createCompanyStory(), scratchFolder());
    expect(() => repositories.path("../../etc")).toThrow("not a company id");
    await expect(repositories.drain("a/b")).rejects.toThrow("not a company id");
  });
});
