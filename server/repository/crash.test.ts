import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ledger } from "./ledger.ts";
import { createRepositories, type RepositoriesOptions } from "./repositories.ts";
import { createCompanyStory, type CompanyStory } from "./testing/company-story.ts";
import { failingDisk } from "./testing/failing-disk.ts";
import { goldenStory } from "./testing/golden-story.ts";
import { playRandomly, type StoryMove, moves } from "./testing/random-story.ts";
import { silentLog } from "./testing/memory-ledger.ts";
import { binary, nativeGit, scratchFolder } from "./testing/scratch.ts";

type Writer = Pick<RepositoriesOptions, "git" | "eventsAtOnce">;

/** Every how many calls the power goes; `SOP_FULL_PROOF=1` tries each of them. */
const writers: [string, Writer, number][] = [
  ["all events at once", { git: null, eventsAtOnce: 1000 }, 17],
  ["one event at a time", { git: null, eventsAtOnce: 1 }, 17],
];
const full = process.env["SOP_FULL_PROOF"] === "1";

// isomorphic-git prints what it did not expect from a disk.
beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

/** What an undisturbed committer makes of the story. */
async function undisturbed(play: () => CompanyStory): Promise<object> {
  const story = play();
  const repositories = createRepositories({
    dir: scratchFolder(),
    ledger: story.ledger,
    log: silentLog,
    git: null,
    eventsAtOnce: 1,
  });
  await repositories.drain(story.companyId);
  return repositories.head(story.companyId);
}

/** Drains until the power goes at the n-th call. @returns the calls made when it did not get that far */
async function untilPowerGoes(
  dir: string,
  story: CompanyStory,
  writer: Writer,
  failAt: number,
  after: boolean,
): Promise<number | null> {
  const failing = failingDisk(failAt, after);
  const ledger: Ledger = {
    ...story.ledger,
    acknowledge: (companyId, commits) => failing.pull(() => story.ledger.acknowledge(companyId, commits)),
  };
  const repositories = createRepositories({
    dir,
    ledger,
    log: silentLog,
    disk: failing.disk,
    lock: { staleAfter: 0 },
    ...writer,
  });
  const done = await repositories.drain(story.companyId).then(
    () => true,
    () => false,
  );
  await repositories.close();
  return done ? failing.calls() : null;
}

/** A new process on the same disk. */
async function replay(dir: string, story: CompanyStory, writer: Writer): Promise<object> {
  const repositories = createRepositories({
    dir,
    ledger: story.ledger,
    log: silentLog,
    lock: { staleAfter: 0 },
    ...writer,
  });
  await repositories.drain(story.companyId);
  const head = await repositories.head(story.companyId);
  expect((await repositories.verify(story.companyId)).findings).toEqual([]);
  await repositories.close();
  expect(story.ledger.stored.filter((event) => event.state === "pending")).toEqual([]);
  return head;
}

const images = [randomBytes(1_100_000), randomBytes(70_000)];

function shortStory(): CompanyStory {
  const story = createCompanyStory();
  // the larger ones are compressed and written in the thread pool
  const assets = ["%PDF-1.7", ...images].map((bytes) => `${story.ledger.putAsset(Buffer.from(bytes))}.pdf`);
  const sop = story.create("First", "one\n");
  story.save(sop, "First", "two\n", assets);
  story.publish(sop);
  story.move(sop, "hr-procedures");
  return story;
}

describe.each(writers)("a crash with %s", (_name, writer, stride) => {
  it.each([
    ["cutting the call short", false],
    ["right after the call", true],
  ])("at any call, %s, is healed by a replay", async (_when, after) => {
    const expected = await undisturbed(shortStory);
    let calls: number | null = null;
    for (let failAt = after ? 3 : 1; calls === null; failAt += full ? 1 : stride) {
      const story = shortStory();
      const dir = scratchFolder();
      calls = await untilPowerGoes(dir, story, writer, failAt, after);
      expect({ failAt, head: await replay(dir, story, writer) }).toEqual({ failAt, head: expected });
      // Git's own opinion, now and then: it takes longer than the rest.
      if (binary !== null && failAt % 16 === 0) {
        expect(nativeGit(`${dir}/${story.companyId}.git`, "fsck", "--full", "--strict", "--no-dangling")).toBe("");
      }
    }
    expect(calls).toBeGreaterThan(4 * stride);
  });
});

describe("crashes again and again", () => {
  it("lead to the same heads for any events, any writer, any moments", async () => {
    const crash = fc.record({
      writer: fc.nat(writers.length - 1),
      failAt: fc.integer({ min: 1, max: 120 }),
      after: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(moves, fc.array(crash, { minLength: 1, maxLength: 3 }), async (list: StoryMove[], crashes) => {
        const story = playRandomly(list);
        const dir = scratchFolder();
        for (const { writer, failAt, after } of crashes) {
          await untilPowerGoes(dir, story, writers[writer]?.[1] ?? {}, failAt, after);
        }
        const head = await replay(dir, story, { git: null, eventsAtOnce: 7 });
        expect(head).toEqual(await undisturbed(() => playRandomly(list)));
      }),
      { numRuns: 25 },
    );
  });

  it("lead to the golden heads", async () => {
    const story = goldenStory();
    const dir = scratchFolder();
    for (const failAt of [40, 200, 90, 333, 51]) {
      await untilPowerGoes(dir, story, { git: null, eventsAtOnce: 1000 }, failAt, failAt % 2 === 0);
    }
    expect(await replay(dir, story, { git: null, eventsAtOnce: 1 })).toEqual(await undisturbed(goldenStory));
    expect(existsSync(`${dir}/${story.companyId}.git/refs/heads/main.lock`)).toBe(false);
  });
});
