/** `sop submit`, `sop approve`, `sop reject` against the real server. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { printedName } from "#core/users/printed-name.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

let server: TestServer;
let folder: Folder;
let people: Record<"editor" | "manager" | "viewer", TestUser>;
const tokens = new Map<TestUser, string>();

beforeAll(async () => {
  server = await startServer("sqlite");
  folder = makeFolder();
  const company = await server.company();
  await company.letApprove("viewer");
  people = {
    editor: await company.user("editor", { name: "Eve Editor" }),
    manager: await company.user("manager", { name: "Max Manager" }),
    viewer: await company.user("viewer", { name: "Vic Viewer" }),
  };
  for (const user of Object.values(people)) {
    const scopes = ["sops:read", "sops:write", "approvals"] as const;
    tokens.set(user, (await user.client.tokens.create({ body: { name: "cli", scopes: [...scopes] } })).token);
  }
}, 60_000);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const sopAs = (user: TestUser | string, ...args: string[]) =>
  runSop(args, {
    cwd: folder.path,
    env: { SOP_SERVER: server.url, SOP_TOKEN: typeof user === "string" ? user : (tokens.get(user) ?? "") },
  });
const newDraft = () =>
  people.editor.client.sops.create({ body: { title: "Wash hands", description: "D", markdown: "Soap\n" } });

const target = expect.stringMatching(/^Company .+ on http:\S+\n$/);

test("a draft is submitted by number, approved by number, and published", async () => {
  const { editor, manager, viewer } = people;
  const { id, number } = await newDraft();
  const named = ["--approver", "max manager", "--approver", viewer.username];
  const asked = await sopAs(editor, "submit", number.toLowerCase(), ...named, "--note", "Please");
  expect(asked).toEqual({
    code: 0,
    stdout: `${number} version 1 (Wash hands) waits for ${printedName(manager)}, ${printedName(viewer)}: all of them must approve.\n`,
    stderr: target,
  });
  expect(await sopAs(viewer, "approve", number, "--comment", "Good")).toEqual({
    code: 0,
    stdout: `${number} version 1 (Wash hands): approved by you, 1 of 2 approvals.\n`,
    stderr: target,
  });
  const last = await sopAs(manager, "approve", id, "--json");
  expect(last.code).toBe(0);
  expect(JSON.parse(last.stdout)).toMatchObject({
    schema: "sop.approve/1",
    ok: true,
    data: { status: "approved", publishedVersion: 1, approvers: [{ status: "approved" }, { comment: "Good" }] },
    errors: [],
  });
  expect(await viewer.client.sops.get({ params: { id } })).toMatchObject({ status: "published" });
}, 60_000);

test("with fewer approvers than the rule needs nothing is submitted, and the refusal says how many are missing", async () => {
  const { editor, manager } = people;
  const approvalRule = { kind: "n_of_m", count: 2 } as const;
  const category = await manager.client.categories.create({ body: { name: "Food safety", approvalRule } });
  const body = { title: "Slicer", description: "D", markdown: "Plug\n", categoryId: category.id };
  const { number } = await editor.client.sops.create({ body });
  const refusal = await sopAs(editor, "submit", number, "--approver", manager.id);
  expect(refusal).toMatchObject({ code: 2, stdout: "" });
  expect(refusal.stderr).toContain("The rule needs 2 approvers. Name 1 more.");
}, 60_000);

test("rejected by the id of the request; what is resolved, not yours or unknown has its exit code", async () => {
  const { editor, manager, viewer } = people;
  const { id, number } = await newDraft();
  const asked = JSON.parse((await sopAs(editor, "submit", id, "--approver", "Max Manager", "--json")).stdout);
  expect(asked).toMatchObject({ schema: "sop.submit/1", ok: true, data: { status: "pending", needed: 1 } });
  const request = asked.data.id as string;
  // a second request
  expect(await sopAs(editor, "submit", id, "--approver", viewer.id)).toMatchObject({ code: 6, stdout: "" });
  // not an approver, not a reader, without the scope, of another version
  expect((await sopAs(editor, "approve", number)).code).toBe(4);
  expect((await sopAs(viewer, "approve", request)).code).toBe(2);
  const { token } = await manager.client.tokens.create({
    body: { name: "narrow", scopes: ["sops:read", "sops:write"] },
  });
  expect(await sopAs(token, "approve", number)).toMatchObject({ code: 4 });
  expect((await sopAs(manager, "approve", number, "--if-match", "7")).code).toBe(6);
  expect(await sopAs(manager, "reject", request, "--comment", "Which soap?")).toEqual({
    code: 0,
    stdout: `${number} version 1 (Wash hands): rejected; it's a draft again.\n`,
    stderr: target,
  });
  expect(await sopAs(manager, "approve", request)).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/\nerror: This approval request is closed\n$/),
  });
  expect((await sopAs(manager, "approve", number)).stderr).toContain(
    `no pending approval request for ${number}, or you can't see it`,
  );
}, 60_000);

test("a rejection without a reason says so; names are known without their accents", async () => {
  const { editor, manager } = people;
  const { number } = await newDraft();
  expect(await sopAs(editor, "submit", number, "--approver", "máx manager")).toMatchObject({ code: 0 });
  expect((await sopAs(manager, "reject", number)).stdout).toBe(
    `${number} version 1 (Wash hands): rejected without a reason; it's a draft again.\n`,
  );
}, 60_000);

test("names people who can't approve before it sends anything", async () => {
  const { editor, viewer } = people;
  const { number } = await newDraft();
  const submit = (...args: string[]) => sopAs(editor, "submit", number, ...args);
  expect((await submit()).stderr).toContain("required option '--approver <user...>' not specified");
  expect(await submit("--approver", "Eve Editor")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/\nerror: Eve Editor \([\w.-]+\): The person who submits can't approve\n$/),
  });
  const { stderr } = await submit("--approver", "Zoe Quist");
  expect(stderr).toContain("no active user is named Zoe Quist");
  expect(stderr).toMatch(new RegExp(`${number} can be approved by: .*M[aá]x Manager`));
  expect((await sopAs(editor, "submit", "SOP-9999", "--approver", viewer.id)).code).toBe(2);
  const [sop] = (await editor.client.sops.list()).data;
  expect(sop).toMatchObject({ number, status: "draft" });
}, 60_000);
