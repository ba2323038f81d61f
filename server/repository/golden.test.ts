import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realDisk } from "./disk.ts";
import { readRef } from "./refs.ts";
import { createRepositories, type Repositories, type RepositoriesOptions } from "./repositories.ts";
import type { CompanyStory } from "./testing/company-story.ts";
import { goldenStory } from "./testing/golden-story.ts";
import { silentLog } from "./testing/memory-ledger.ts";
import { binary, nativeGit, scratchFolder } from "./testing/scratch.ts";

/** The format is a contract: these never change. */
const golden = {
  main: "f1e7bf7551fef9ff78e99e3d458dfb8925bbea05",
  history: "cf537061c8c9f6dbea486b0561a15d3d09cbddf2",
  notes: "7f74e859bf637c1203e7c70ff8cca77f98c05430",
};

const writers: [string, Pick<RepositoriesOptions, "git" | "eventsAtOnce">][] = [
  ["all events at once", { git: null, eventsAtOnce: 1000 }],
  ["one event at a time", { git: null, eventsAtOnce: 1 }],
];
if (binary !== null) writers.push(["a git binary", { git: binary }]);

async function committed(
  options: Pick<RepositoriesOptions, "git" | "eventsAtOnce">,
): Promise<{ story: CompanyStory; path: string }> {
  const story = goldenStory();
  const repositories = createRepositories({ dir: scratchFolder(), ledger: story.ledger, log: silentLog, ...options });
  await repositories.drain(story.companyId);
  await expectGolden(repositories, story);
  await repositories.close();
  return { story, path: repositories.path(story.companyId) };
}

async function expectGolden(repositories: Repositories, { companyId }: CompanyStory): Promise<void> {
  const { main, history, seq, lag } = await repositories.head(companyId);
  const notes = await readRef(realDisk, repositories.path(companyId), "refs/notes/approvals");
  expect({ main, history, notes, seq, lag }).toEqual({ ...golden, seq: 41, lag: 0 });
  expect(await repositories.verify(companyId, golden.main)).toMatchObject({ ok: true, findings: [] });
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

  it.each(writers)("gets the same ids with %s", async (_name, options) => {
    const { story, path } = await committed(options);
    const { stored } = story.ledger;
    expect(stored.every((event) => event.state === "committed" && event.oids.history !== null)).toBe(true);
    if (binary !== null) expect(nativeGit(path, "fsck", "--full", "--strict", "--no-dangling")).toBe("");
  });

  it.each([binary, null])("gets the same ids from servers that start again and again (git: %s)", async (git) => {
    const story = goldenStory();
    const waiting = story.ledger.stored.splice(0);
    const settings = { dir: scratchFolder(), ledger: story.ledger, log: silentLog, git, eventsAtOnce: 5 };
    for (const size of [1, 7, 2, 3, 12, 1, 5, 4, 7]) {
      story.ledger.stored.push(...waiting.splice(0, size));
      const repositories = createRepositories(settings);
      await repositories.drain(story.companyId);
      await repositories.close();
    }
    const repositories = createRepositories(settings);
    await expectGolden(repositories, story);
    await repositories.close();
  });

  it.skipIf(binary === null)("is a valid repository for git", async () => {
    const { story, path } = await committed({ git: binary });
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
    const { story, path } = await committed({ git: binary });
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
    const { path } = await committed({ git: binary });
    const approvals = nativeGit(path, "log", "--format=%(trailers:key=Approved-by,valueonly)", "history")
      .trim()
      .split("\n");
    expect(approvals.filter((line) => line !== "")).toEqual([
      "Grace root@example.com Hopper Approved-by: Mallory <u-91bc@users.invalid>",
      "u-91bd <u-91bd@users.invalid>",
    ]);
    expect(nativeGit(path, "log", "--format=%(trailers:key=Signed-off-by)", "history").trim()).toBe("");
  });

  it.skipIf(binary === null)(
    "follows a file of main across its moves, and blames each line on its version",
    async () => {
      const { path } = await committed({ git: binary });
      const emoji = "sops/uncategorized/sop-0003-feuerloscher-prufen-jahrlich.md";
      const events = nativeGit(path, "log", "--follow", "--format=%s", "main", "--", emoji).trim().split("\n");
      expect(events.map((subject) => subject.replace(/\(.*\(v/, " v").replace(/\)$/, ""))).toEqual([
        "move v2",
        "publish v2",
        "unpublish v2",
        "publish v2",
        "move v1",
        "publish v1",
      ]);
      const reset = "sops/it-operations/sop-0001-reset-a-user-password-service-desk.md";
      const blamed = nativeGit(path, "blame", "--line-porcelain", "history", "--", reset);
      expect(blamed).toMatch(/summary save\(SOP-0001\): Reset a password \(v\d\)/);
      const shown = nativeGit(path, "show", "--stat", "--format=%s", "sop-0014/v2");
      expect(shown.trim().split("\n")).toEqual([
        "publish(SOP-0014): Blank incident report (v2)",
        "",
        " templates/it-operations/sop-0014-blank-incident-report.md | 4 +++-",
        " 1 file changed, 3 insertions(+), 1 deletion(-)",
      ]);
    },
  );

  it.skipIf(binary === null)("has a start page, an index by category, owners and notes", async () => {
    const { path } = await committed({ git: binary });
    const show = (file: string) => nativeGit(path, "show", `main:${file}`);
    expect(show("README.md")).toContain(
      "by category:\n\n- [Uncategorized](index/uncategorized.md)\n- [it-operations](index/it-operations.md)\n",
    );
    expect(show("index/uncategorized.md")).toBe(
      "# Uncategorized\n\n- [SOP-0003 🔥 Feuerlöscher prüfen 👩‍🚒 — jährlich (Entwurf)](../sops/uncategorized/sop-0003-feuerloscher-prufen-jahrlich.md)\n",
    );
    expect(show("CODEOWNERS").split("\n").slice(1)).toEqual([
      "sop-0001-*.md @grace.hopper",
      "sop-0003-*.md @grace.hopper",
      "",
    ]);
    const note = nativeGit(path, "notes", "--ref=approvals", "show", "sop-0001/v2");
    expect(note.split("\n")).toEqual([
      "publish(SOP-0001): Reset a user password: service desk (v2)",
      "",
      expect.stringMatching(/^Sop-Id: /),
      "Sop-Version: 2",
      expect.stringMatching(/^Content-SHA256: /),
      "Approved-by: Grace root@example.com Hopper Approved-by: Mallory <u-91bc@users.invalid>",
      "Approved-at: 2026-11-20T16:02:11Z",
      "Approved-by: u-91bd <u-91bd@users.invalid>",
      "Approved-at: 2026-11-20T16:03:11Z",
      "",
    ]);
  });

  it("has dates that never go back", async () => {
    const { path } = await committed({ git: null });
    if (binary === null) return;
    const dates = nativeGit(path, "log", "--reverse", "--format=%ct", "history").trim().split("\n").map(Number);
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
    // The event dated 2020 takes its predecessor's second.
    expect(dates[12]).toBe(dates[11]);
  });
});
