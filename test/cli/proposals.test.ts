/** `sop proposals` against the real server. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { propose } from "../propose.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

let server: TestServer;
let folder: Folder;
let manager: TestUser;
let contributor: TestUser;
const tokens = new Map<TestUser, string>();

beforeAll(async () => {
  server = await startServer("sqlite");
  folder = makeFolder();
  const company = await server.company();
  manager = await company.user("manager", { name: "Max Manager" });
  contributor = await company.user("contributor", { name: "Cleo" });
  for (const user of [manager, contributor]) {
    tokens.set(user, (await user.client.tokens.create({ body: { name: "cli", scopes: ["sops:read"] } })).token);
  }
  const body = { title: "Wash hands", description: "D", markdown: "Soap\n", status: "published" } as const;
  const sops = [await manager.client.sops.create({ body }), await manager.client.sops.create({ body })];
  for (const { id } of sops) {
    await propose(server.running.services, contributor, { id, title: "Wash hands well", markdown: "Much soap\n" });
  }
  await manager.client.proposals.accept({ params: { id: "1" } });
  const reason = "It is planned for the next month, together with\nthe others";
  await manager.client.proposals.dismiss({ params: { id: "2" }, body: { reason } });
  await propose(server.running.services, contributor, {
    path: "sops/uncategorized/dry-hands.md",
    title: "Dry hands",
    markdown: "Towel\n",
  });
}, 60_000);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const sopAs = (user: TestUser, ...args: string[]) =>
  runSop(args, { cwd: folder.path, env: { SOP_SERVER: server.url, SOP_TOKEN: tokens.get(user) ?? "" } });

test("lists what waits, and what became of the rest", async () => {
  const day = server.clock.now().slice(0, 10);
  const open = await sopAs(contributor, "proposals");
  expect([open.code, open.stdout.trim().split(/ {2,}/)]).toEqual([
    0,
    ["3", "open", "new SOP", "Dry hands", `Cleo (${contributor.username})`, day],
  ]);
  const all = await sopAs(contributor, "proposals", "--mine", "--state", "all");
  expect(
    all.stdout
      .trim()
      .split("\n")
      .map((line) => line.split(/ {2,}/).slice(0, 3)),
  ).toEqual([
    ["3", "open", "new SOP"],
    ["2", "dismissed: It is planned for the next month, togeth…", "SOP-0002"],
    ["1", "accepted as v2", "SOP-0001"],
  ]);
  const incoming = await sopAs(manager, "proposals", "--incoming", "--json");
  const { schema, ok, data } = JSON.parse(incoming.stdout) as { schema: string; ok: boolean; data: unknown[] };
  expect([schema, ok, data]).toEqual([
    "sop.proposals/1",
    true,
    [expect.objectContaining({ number: 3, state: "open" })],
  ]);
});

test("says that there is none, and refuses flags that exclude each other", async () => {
  const none = await sopAs(manager, "proposals", "--mine");
  expect([none.code, none.stdout, none.stderr]).toEqual([0, "", "No open proposals.\n"]);
  const both = await sopAs(manager, "proposals", "--mine", "--incoming");
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("can't be used with --incoming")]);
});
