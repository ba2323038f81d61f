/** `sop search` against the real server. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { callSop, makeFolder, runSop, type Folder } from "./run-sop.ts";

let server: TestServer;
let folder: Folder;
let user: TestUser;
let env: Record<string, string>;

const steps = [
  "Open the cover.",
  "Stop.",
  "Wait.",
  "Filter out.",
  "Rinse.",
  "Put it back.",
  "Tighten the wingnut by **hand**.",
];
const mill = `## Cleaning\n\n${steps.map((step, at) => `${at + 1}. ${step}`).join("\n")}\n`;

beforeAll(async () => {
  server = await startServer("sqlite");
  folder = makeFolder();
  const company = await server.company();
  user = await company.user("manager");
  const admin = await company.user("company_admin");
  await admin.client.company.update({ body: { settings: { glossary: [["PPE", "protective equipment"]] } } });
  const make = (title: string, markdown: string, status: "draft" | "published") =>
    user.client.sops.create({ body: { title, description: "Every week.", markdown, status } });
  await make("Clean the mill", mill, "published");
  await make("Enter the silo", "Put on your protective equipment.\n", "draft");
  const { token } = await user.client.tokens.create({ body: { name: "cli", scopes: ["sops:read"] } });
  env = { SOP_SERVER: server.url, SOP_TOKEN: token };
}, 60_000);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const search = (...args: string[]) => callSop(["search", ...args], { cwd: folder.path, env });

test("answers with the step that has the words, on stdout alone", async () => {
  const ran = await runSop(["search", "tighten", "wingnut"], { cwd: folder.path, env });
  expect(ran).toEqual({
    code: 0,
    stdout: "SOP-0001  Clean the mill  [published]\n  Cleaning, step 7\n  Tighten the wingnut by hand.\n",
    stderr: "",
  });
});

test("finds by a beginning and with a slip, which it says, and by what the company calls it", async () => {
  expect(await search("wingn")).toMatchObject({ code: 0, stderr: "" });
  const slip = await search("wingnit");
  expect([slip.code, slip.stdout.split("\n")[0]]).toEqual([0, "SOP-0001  Clean the mill  [published]"]);
  expect(slip.stderr).toContain("Showing results for wingnut");
  const synonym = await search("ppe");
  expect(synonym.stdout).toBe("SOP-0002  Enter the silo  [draft]\n  Put on your protective equipment.\n");
});

test("narrows by status, answers as JSON, and ends with 1 when nothing is found", async () => {
  expect((await search("the", "--status", "draft")).stdout).toMatch(/^SOP-0002/);
  const json = JSON.parse((await search("wingnut", "--json")).stdout) as unknown;
  expect(json).toMatchObject({
    schema: "sop.search/1",
    ok: true,
    data: { data: [{ sop: { number: "SOP-0001" }, step: { number: "7", heading: "Cleaning" }, missing: [] }] },
    errors: [],
  });
  const none = await search("xyzzy");
  expect([none.code, none.stdout]).toEqual([1, ""]);
  expect(none.stderr).toContain("Nothing found for xyzzy");
});

test("says of a version that waits for its day that it isn't effective yet, and finds it by that", async () => {
  const text = { title: "Sharpen the burrs", description: "Every year.", markdown: "Sharpen them.\n" };
  const { id } = await user.client.sops.create({ body: text });
  await user.client.sops.publish({ params: { id }, body: { effectiveAt: "2099-01-01" } });
  const found = "SOP-0003  Sharpen the burrs  [not yet effective]\n";
  expect((await search("sharpen")).stdout).toContain(found);
  expect((await search("sharpen", "--status", "scheduled")).stdout).toContain(found);
  expect((await search("sharpen", "--status", "published")).code).toBe(1);
  for (const [sort, last] of [
    ["status", "Clean the mill"],
    ["-status", "Enter the silo"],
  ] as const) {
    const { data } = await user.client.sops.list({ query: { sort } });
    expect(data.map(({ title }) => title)[1]).toBe("Sharpen the burrs");
    expect(data.at(-1)?.title).toBe(last);
  }
  const { facets } = await user.client.sops.list({ query: { facets: "true" } });
  const counts = facets?.status.map(({ value, count }) => [value, count]) ?? [];
  expect(Object.fromEntries(counts)).toMatchObject({ all: 3, published: 1, scheduled: 1, draft: 1 });
});

test("says what is wrong with the question", async () => {
  for (const args of [
    [" "],
    ["x".repeat(201)],
    ["mill", "--limit", "0"],
    ["mill", "--limit", "51"],
    ["mill", "--status", "old"],
    [],
  ]) {
    const ran = await search(...args);
    expect([args, ran.code, ran.stdout, ran.stderr !== ""]).toEqual([args, 2, "", true]);
  }
  const stranger = await callSop(["search", "mill"], { cwd: folder.path, env: { ...env, SOP_TOKEN: "sop_pat_wrong" } });
  expect(stranger.code).toBe(4);
});
