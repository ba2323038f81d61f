import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRepositories, type RepositoriesOptions } from "./repositories.ts";
import type { CompanyStory } from "./testing/company-story.ts";
import { goldenStory } from "./testing/golden-story.ts";
import { silentLog } from "./testing/memory-ledger.ts";
import { binary, nativeGit, scratchFolder } from "./testing/scratch.ts";

/** Format v1 is a contract: these never change. */
const golden = {
  main: "4bbe55a30cf06f524a7339e140ad499581cd2f0a",
  history: "59c0cd7382c2aa78261e99b0155599b31b31869e",
};

const writers: [string, Pick<RepositoriesOptions, "git" | "backlogFrom">][] = [
  ["isomorphic-git", { git: null, backlogFrom: 1000 }],
  ["pack writer", { git: null, backlogFrom: 1 }],
];
if (binary !== null) {
  writers.push(["pack writer beside a git binary", { git: binary, backlogFrom: 1 }]);
  writers.push(["isomorphic-git beside a git binary", { git: binary, backlogFrom: 1000 }]);
}

async function committed(
  options: Pick<RepositoriesOptions, "git" | "backlogFrom">,
): Promise<{ story: CompanyStory; path: string }> {
  const story = goldenStory();
  const repositories = createRepositories({ dir: scratchFolder(), ledger: story.ledger, log: silentLog, ...options });
  await repositories.drain(story.companyId);
  expect(await repositories.head(story.companyId)).toEqual({ ...golden, seq: 41, lag: 0 });
  expect(await repositories.verify(story.companyId, golden.main)).toMatchObject({ ok: true, findings: [] });
  await repositories.close();
  return { story, path: repositories.path(story.companyId) };
}

describe("the golden repository", () => {
  it("has every verb in it", () => {
    const verbs = new Set(goldenStory().ledger.stored.map((event) => event.type));
    expect(verbs).toEqual(
      new Set(
        "found create save publish unpublish archive unarchive delete undelete move restore import category".split(" "),
      ),
    );
  });

  it.each(writers)("gets the same ids from the %s", async (_name, options) => {
    const { story, path } = await committed(options);
    expect(story.ledger.stored.every((event) => event.state === "committed" && event.oids.history !== null)).toBe(true);
    if (binary !== null) expect(nativeGit(path, "fsck", "--full", "--strict", "--no-dangling")).toBe("");
  });

  it.each([binary, null])("gets the same ids from single commits and backlogs in turn (git: %s)", async (git) => {
    const story = goldenStory();
    const waiting = story.ledger.stored.splice(0);
    const dir = scratchFolder();
    const repositories = createRepositories({ dir, ledger: story.ledger, log: silentLog, git, backlogFrom: 5 });
    for (const size of [1, 7, 2, 3, 12, 1, 5, 4, 7]) {
      story.ledger.stored.push(...waiting.splice(0, size));
      await repositories.drain(story.companyId);
    }
    expect(await repositories.head(story.companyId)).toEqual({ ...golden, seq: 41, lag: 0 });
    expect((await repositories.verify(story.companyId)).findings).toEqual([]);
  });

  it.skipIf(binary === null)("is a valid repository for git", async () => {
    const { story, path } = await committed({ git: binary, backlogFrom: 1000 });
    const clone = join(scratchFolder(), "clone");
    nativeGit(path, "clone", "--quiet", path, clone);
    expect(nativeGit(clone, "status", "--porcelain")).toBe("");
    expect(nativeGit(clone, "rev-parse", "HEAD").trim()).toBe(golden.main);
    expect(nativeGit(path, "for-each-ref", "--format=%(refname)", "refs/sopwright")).toBe("");
    const tags = nativeGit(clone, "tag", "--list").trim().split("\n");
    expect(tags).toContain("sop-0001/v3");
    const author = nativeGit(clone, "log", "-1", "--format=%an|%ae|%cn|%ce|%ct", "sop-0001/v2").trim();
    expect(author).toBe("Grace Hopper|u-7f3a@users.invalid|SOP Server|server@sop.invalid|1795190714");
    const file = nativeGit(path, "show", "history:sops/it-operations/sop-0001-reset-a-user-password-service-desk.md");
    expect(file).toBe(Buffer.from(story.ledger.fileBytes.get(`${story.sops[0]?.id} 5`) ?? []).toString());
  });

  it.skipIf(binary === null)("keeps an SOP's history across moves, one commit for every event", async () => {
    const { story, path } = await committed({ git: binary, backlogFrom: 1 });
    const emoji = "sops/uncategorized/sop-0003-feuerloscher-prufen-jahrlich.md";
    const life = nativeGit(
      path,
      "log",
      "--follow",
      "--format=%(trailers:key=Event,valueonly,separator=)",
      "history",
      "--",
      emoji,
    );
    expect(life.trim().split("\n")).toEqual(["move", "move", "save", "create"]);
    const seqs = nativeGit(
      path,
      "log",
      "--reverse",
      "--format=%(trailers:key=Event-Seq,valueonly,separator=%x2C)",
      "history",
    );
    expect(seqs.trim().split("\n").map(Number)).toEqual(story.ledger.stored.map((event) => event.seq));
  });

  it.skipIf(binary === null)("shows git only the approvals that happened", async () => {
    const { path } = await committed({ git: binary, backlogFrom: 1 });
    const approvals = nativeGit(path, "log", "--format=%(trailers:key=Approved-by,valueonly)", "history")
      .trim()
      .split("\n");
    expect(approvals.filter((line) => line !== "")).toEqual([
      "Grace root@example.com Hopper Approved-by: Mallory <u-91bc@users.invalid>",
      "u-91bd <u-91bd@users.invalid>",
    ]);
    expect(nativeGit(path, "log", "--format=%(trailers:key=Signed-off-by)", "history").trim()).toBe("");
  });

  it("has dates that never go back", async () => {
    const { path } = await committed({ git: null, backlogFrom: 1000 });
    if (binary === null) return;
    const dates = nativeGit(path, "log", "--reverse", "--format=%ct", "history").trim().split("\n").map(Number);
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
    // The event dated 2020 takes its predecessor's second.
    expect(dates[12]).toBe(dates[11]);
  });
});
