/**
 * Random stories through the API. Afterwards both branches, the counters, the versions and the audit log match the
 * SOPs.
 */
import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { sopFileName } from "#core/repository/names.ts";
import type { CategoryDocument, SopDocument } from "../../server/database/documents.ts";
import { versionFileBytes } from "../../server/repository/version-file.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer("sqlite");
});
afterAll(() => server.stop());

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const statuses = ["draft", "published", "archived", undefined] as const;
const texts = ["One.", "Two.", "Two, with more."];
const titles = ["First", "Second title", "Third: draft"];

/** Positions name the SOP and the category, so that a shrunk story still makes sense. */
const verb = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("create" as const), ...edit(), category: fc.nat(4) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("update" as const), sop: fc.nat(3), ...edit() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("move" as const), sop: fc.nat(3), category: fc.nat(4) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom("publish", "unpublish", "archive", "unarchive", "remove", "undelete"),
      sop: fc.nat(3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("restore" as const), sop: fc.nat(3), version: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("import" as const), file: fc.nat(2), text: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("rename" as const), category: fc.nat(4), title: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stranger" as const), sop: fc.nat(3) }) },
);
function edit() {
  return {
    status: fc.constantFrom(...statuses),
    title: fc.nat(2),
    text: fc.nat(2),
    template: fc.boolean(),
    moveTo: fc.option(fc.nat(4)),
  };
}
type Verb = typeof verb extends fc.Arbitrary<infer T> ? T : never;

interface Story {
  user: TestUser;
  categories: (string | null)[];
  ids: string[];
}

/** Carries out one verb. Refusals are part of the story. */
async function carryOut(story: Story, step: Verb): Promise<void> {
  const { sops, categories } = story.user.client;
  const id = "sop" in step ? story.ids[step.sop % Math.max(1, story.ids.length)] : undefined;
  const categoryId = "category" in step ? (story.categories[step.category % story.categories.length] ?? null) : null;
  if ("sop" in step && id === undefined) return;
  const params = { id: id ?? "" };
  switch (step.do) {
    case "create": {
      const { status, title, text, template } = step;
      const body = { title: titles[title] ?? "", description: "D", markdown: texts[text] ?? "", isTemplate: template };
      const made = await sops.create({ body: { ...body, categoryId, ...(status ? { status } : {}) } });
      story.ids.push(made.id);
      return;
    }
    case "update": {
      const { status, title, text, template, moveTo } = step;
      const body = { title: titles[title] ?? "", markdown: texts[text] ?? "", isTemplate: template };
      const move = moveTo === null ? {} : { categoryId: story.categories[moveTo % story.categories.length] ?? null };
      await sops.update({ params, body: { ...body, ...move, ...(status ? { status } : {}) } });
      return;
    }
    case "move":
      await sops.update({ params, body: { categoryId } });
      return;
    case "restore":
      await sops.restore({ params: { ...params, version: step.version + 1 }, body: {} });
      return;
    case "import": {
      const text = `# Imported ${step.file}\n\n${texts[step.text]}\n`;
      const path = `${["hr-procedures", "new-folder", "."][step.file]}/${step.file}.md`;
      const documents = [{ path, text, sha256: sha256(text) }];
      const { results } = await sops.import({ body: { importId: randomUUID(), documents, createCategories: true } });
      for (const { id: made, outcome } of results) if (made && outcome === "create") story.ids.push(made);
      return;
    }
    case "rename": {
      if (categoryId === null) return;
      await categories.update({ params: { id: categoryId }, body: { name: `Renamed ${step.title}` } });
      return;
    }
    case "stranger":
      // a refusal must leave nothing behind that breaks a later verb
      await sops.publish({ params: { id: randomUUID() }, body: {} });
      return;
    case "remove":
      await sops.remove({ params });
      return;
    case "undelete":
      await sops.undelete({ params });
      return;
    default:
      await sops[step.do as "publish"]({ params, body: {} });
  }
}

/** What each branch must hold, derived from the SOPs alone, not from the ledger's code. */
function expectedPaths(sops: readonly SopDocument[], categories: readonly CategoryDocument[]) {
  const history = new Map<string, { id: string; version: number }>();
  const main = new Map<string, { id: string; version: number }>();
  const slugs = new Map(categories.map((category) => [category._id, category.slug]));
  for (const sop of sops.filter(({ deletedAt }) => deletedAt === null)) {
    const place = `${slugs.get(sop.categoryId ?? "") ?? "uncategorized"}/${sopFileName(sop)}`;
    const folder = (template: boolean) => (sop.status === "archived" ? "archive" : template ? "templates" : "sops");
    history.set(`${folder(sop.isTemplate)}/${place}`, { id: sop._id, version: sop.version });
    const shown = sop.status === "archived" ? sop.lastPublished?.version : sop.published?.version;
    if (shown !== undefined)
      main.set(`${folder(sop.published?.isTemplate ?? false)}/${place}`, { id: sop._id, version: shown });
  }
  return { history, main };
}

/** The documents. */
function branchFiles(gitDir: string, branch: string): Map<string, string> {
  const listed = execFileSync("git", ["--git-dir", gitDir, "ls-tree", "-r", "-z", branch], { encoding: "utf8" });
  const files = listed.split("\0").flatMap((line) => {
    const [, oid, path] = /^\d+ blob ([0-9a-f]{40})\t(.*)$/.exec(line) ?? [];
    return oid && path && !/^(\.sop|index)\/|^(README\.md|CODEOWNERS)$/.test(path) ? [[path, oid] as const] : [];
  });
  return new Map(files);
}

function gitBlob(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

async function check({ user }: Story): Promise<void> {
  const company = server.db.forCompany(user.companyId);
  const { repositories } = server.running.services;
  repositories.wake(user.companyId);
  await repositories.drain(user.companyId);
  const sops = await company.collection("sops").find({});
  const versions = await company.collection("sop_versions").find({}, { sort: { version: 1 } });
  const categories = await company.collection("categories").find({});
  const events = await company.collection("repo_events").find({}, { sort: { seq: 1 } });

  // both branches, paths and bytes
  const expected = expectedPaths(sops, categories);
  const bytesOf = new Map(versions.map((one) => [`${one.sopId} ${one.version}`, gitBlob(versionFileBytes(one))]));
  for (const branch of ["history", "main"] as const) {
    const wanted = new Map(
      [...expected[branch]].map(([path, { id, version }]) => [path, bytesOf.get(`${id} ${version}`)]),
    );
    const held = branchFiles(repositories.path(user.companyId), branch);
    expect([branch, Object.fromEntries([...held].sort())]).toEqual([
      branch,
      Object.fromEntries([...wanted].sort() as [string, string][]),
    ]);
  }
  // main has no title of a draft, in its start page and index neither
  const log = execFileSync("git", ["--git-dir", repositories.path(user.companyId), "log", "-p", "main"], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const everInForce = new Set(events.filter(({ type }) => type === "publish").map(({ items }) => items[0]?.title));
  for (const title of titles) if (!everInForce.has(title)) expect(log).not.toContain(title);

  // numbers and versions have no gaps
  expect(events.map(({ seq, state }) => [seq, state])).toEqual(events.map((_, seq) => [seq, "committed"]));
  for (const sop of sops) {
    const own = versions.filter(({ sopId }) => sopId === sop._id);
    expect(own.map(({ version }) => version)).toEqual(Array.from({ length: sop.version }, (_, n) => n + 1));
    expect(own.at(-1)).toMatchObject({ contentHash: sop.contentHash, title: sop.title });
    expect([sop.live, sop.hasPublished]).toEqual([
      sop.deletedAt === null && sop.status !== "archived",
      sop.deletedAt === null && sop.published !== null,
    ]);
  }

  // the counters equal a recount
  const counters = await company.collection("counters").findOne({ _id: user.companyId });
  const there = sops.filter(({ deletedAt }) => deletedAt === null);
  const count = (holds: (sop: SopDocument) => boolean) => there.filter(holds).length;
  const record = (keys: readonly string[], holds: (key: string) => number) =>
    Object.fromEntries(keys.map((key) => [key, holds(key)]).filter(([, n]) => n !== 0));
  const withoutZeros = (all: Record<string, number> = {}) => record(Object.keys(all), (key) => all[key] ?? 0);
  expect(withoutZeros(counters?.byStatus)).toEqual(
    record(["draft", "under_review", "published", "archived"], (key) => count(({ status }) => status === key)),
  );
  expect(counters?.published).toBe(count(({ hasPublished }) => hasPublished));
  for (const id of [...categories.map(({ _id }) => _id), null]) {
    const kept: { live?: number; published?: number } = counters?.categories[id ?? "none"] ?? {};
    expect([kept.live ?? 0, kept.published ?? 0]).toEqual([
      count((sop) => sop.live && sop.categoryId === id),
      count((sop) => sop.hasPublished && sop.categoryId === id),
    ]);
  }
  const stored = await server.db.collection("companies").findOne({ _id: user.companyId });
  expect(stored?.sopCount).toBe(count(({ live }) => live));
  expect(counters?.sopNumber).toBe(sops.length);

  // one audit row for each event of the ledger
  const audit = await company.collection("audit_logs").find({});
  const rows = audit.filter(({ entityType }) => entityType === "sop" || entityType === "category");
  const told = events.flatMap(({ type, items }) =>
    type === "found" ? [] : items.length > 0 ? items.map(() => "sop") : ["category"],
  );
  expect(rows.map(({ entityType }) => entityType).sort()).toEqual(told.sort());
}

test("after any actions, in any order", { timeout: 300_000 }, async () => {
  let refused = 0;
  let done = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(verb, { minLength: 8, maxLength: 15, size: "max" }), async (steps) => {
      const user = await (await server.company()).user("admin");
      const categories = [...(await user.client.categories.list()).map(({ id }) => id), null];
      const story: Story = { user, categories, ids: [] };
      for (const step of steps) {
        server.clock.advance(1_000);
        try {
          await carryOut(story, step);
          done++;
        } catch (error) {
          if (!(error instanceof ApiError) || ![404, 409].includes(error.status)) throw error;
          refused++;
        }
      }
      await check(story);
    }),
    { numRuns: 60 },
  );
  // most steps of the stories succeed
  expect(done).toBeGreaterThan(refused);
});
