/** The damaged record of an SOP: lists count it, and its file makes no second SOP. */
import { createHash, randomUUID } from "node:crypto";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { damageDocument } from "./damage.ts";
import { git } from "./git.ts";
import { gitWriter } from "./git-writer.ts";
import { startServer, type Company, type TestServer, type TestUser } from "./server.ts";

let server: TestServer;
let company: Company;
let admin: TestUser;
let reader: TestUser;
let neighbor: TestUser;
let file = "";
let work = "";
const dir = mkdtempSync(path.join(tmpdir(), "damaged-sop-rows-"));
const writer = gitWriter(
  () => server,
  () => dir,
);

const draft = { title: "Rinse the mill", description: "D", markdown: "1. Rinse it with hot water.\n" };

beforeAll(async () => {
  server = await startServer("sqlite");
  company = await server.company();
  [admin, reader] = [await company.user("company_admin"), await company.user("viewer")];
  neighbor = await (await server.company()).user("company_admin");
  await neighbor.client.sops.create({ body: draft });
  for (const title of ["One", "Two"]) {
    const { id } = await admin.client.sops.create({ body: { ...draft, title } });
    await admin.client.sops.publish({ params: { id }, body: {} });
  }
  const { id } = await admin.client.sops.create({ body: draft });
  await admin.client.sops.publish({ params: { id }, body: {} });
  file = (await admin.send({ path: `/api/sops/${id}/export?format=md` })).body.toString();
  await server.running.services.repositories.drain(company.id);
  work = await writer.clone(company, admin, "work");
  await server.restart(() => damageDocument(path.join(server.dataDir, "sopwright.db"), id));
});
afterAll(async () => {
  rmSync(dir, { recursive: true });
  await server.stop();
});

test("lists of its company count it, for every user", async () => {
  for (const user of [admin, reader])
    for (const query of [{}, { sort: "title" as const }, { search: "mill" }, { view: "published" as const }]) {
      const { data, unreadable } = await user.client.sops.list({ query });
      expect([query, data.every(({ title }) => title !== draft.title), unreadable]).toEqual([query, true, 1]);
    }
  expect((await admin.client.stats.needs()).unreadable).toBe(1);
  expect((await reader.client.stats.needs()).unreadable).toBe(0);
  expect(await neighbor.client.sops.list()).toEqual({ data: [expect.objectContaining({ title: draft.title })] });
});

test("a request for it says that it is damaged, by its number too", async () => {
  for (const id of ["SOP-0003", "sop 3", "3"]) {
    const { status, body } = await admin.send({ path: `/api/sops/${encodeURIComponent(id)}` });
    expect([id, status, body]).toEqual([id, 500, expect.stringContaining("damaged")]);
  }
  expect((await admin.send({ path: "/api/sops/SOP-0009" })).status).toBe(404);
});

const without = (text: string, ...keys: string[]) =>
  keys.reduce((rest, key) => rest.replace(new RegExp(`^${key}: .*\n`, "m"), ""), text);

test.each([
  ["its file", (text: string) => text],
  ["its file without an id", (text: string) => without(text, "id", "version")],
  ["its file with the number alone", (text: string) => without(text, "id", "version", "title", "description")],
  ["its file with another spelling", (text: string) => without(text, "id", "version").replace("SOP-0003", "sop 3")],
])("an import refuses %s", async (_, change) => {
  const text = change(file);
  const sha256 = createHash("sha256").update(text).digest("hex");
  for (const dryRun of [true, false]) {
    const body = { importId: randomUUID(), dryRun, documents: [{ path: "mill.md", text, sha256 }] };
    const { results } = await admin.client.sops.import({ body });
    expect(results).toMatchObject([{ outcome: "refused", reason: expect.stringContaining("damaged") }]);
  }
});

test.each([
  ["changed", (at: string) => writer.edit(work, at, "hot", "cold")],
  ["without its keys", (at: string) => writer.edit(work, at, /^sop: .*\nid: .*\nversion: .*\n/m, "")],
])("a Git push refuses its file, %s", async (_, change) => {
  await git(work, "remote", "set-url", "origin", await writer.addressOf(company, admin));
  await git(work, "reset", "-q", "--hard", "origin/main");
  const [at = ""] = globSync("**/*rinse-the-mill.md", { cwd: work });
  change(at);
  await writer.commit(work);
  const { code, remote } = await writer.push(work);
  expect([code, remote.join("\n")]).toEqual([1, expect.stringContaining("damaged")]);
  expect((await admin.client.sops.list({ query: { total: "true" } })).total).toBe(2);
});

test("its number stays taken", async () => {
  await expect(admin.client.sops.create({ body: { ...draft, number: "SOP-0003" } })).rejects.toMatchObject({
    status: 409,
  });
  const text = without(file, "id", "version").replace(/^sop: .*$/m, 'number: "SOP-0003"');
  const sha256 = createHash("sha256").update(text).digest("hex");
  const body = { importId: randomUUID(), documents: [{ path: "other.md", text, sha256 }] };
  const sent = await admin.send({
    method: "POST",
    path: "/api/sops/import",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect([sent.status, sent.body]).toEqual([200, expect.stringContaining('"refused"')]);
});
