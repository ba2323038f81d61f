/** A server on a machine without git: it commits, exports and proves. Clone, push and packing answer in one line. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { git as nativeGit, gitFolder, runGit } from "../../test/git.ts";
import type { Company, TestServer, TestUser } from "../../test/server.ts";

vi.mock("../repository/git-process.ts", async (original) => ({
  ...(await original<typeof import("../repository/git-process.ts")>()),
  findGit: () => null,
}));
// files of the server share their modules: this one's are its own
vi.resetModules();
const { startServer } = await import("../../test/server.ts");
afterAll(() => void vi.resetModules());

const { dir, remove } = gitFolder();
let server: TestServer;
let company: Company;
let manager: TestUser;
let id = "";
let slug = "";
let token = "";
beforeAll(async () => {
  server = await startServer("sqlite");
  company = await server.company();
  manager = await company.user("manager");
  ({ id } = await manager.client.sops.create({ body: { title: "Rinse", description: "D", markdown: "Rinse it.\n" } }));
  await manager.client.sops.publish({ params: { id }, body: {} });
  slug = (await server.running.services.companies.get(company.id))?.slug ?? "";
  ({ token } = await manager.client.tokens.create({ body: { name: "git", scopes: ["repo:read", "repo:push"] } }));
});
afterAll(async () => {
  await server.stop();
  remove();
});

const asked = async (method: "GET" | "POST", file: string) => {
  const headers = { authorization: `Basic ${Buffer.from(`x:${token}`).toString("base64")}` };
  const { status, body } = await server.send({ method, path: `/git/${slug}.git/${file}`, headers });
  return { status, told: body };
};
const cannotClone = { status: 501, told: "This server has no git, so it can't be cloned. Use sop pull\n" };
const cannotPush = { status: 501, told: "This server has no git, so it can't take a push. Use sop push\n" };

test("commits, and a rebuild makes the same commits", async () => {
  const { repositories } = server.running.services;
  await repositories.drain(company.id);
  const head = await repositories.head(company.id);
  expect(head).toMatchObject({ lag: 0, main: expect.any(String) });
  expect(await repositories.verify(company.id)).toMatchObject({ ok: true, findings: [] });
  expect(await repositories.rebuild(company.id)).toEqual(head);
  expect(readdirSync(`${repositories.path(company.id)}/objects/pack`)).toEqual([]);
  // what it wrote is a repository for a git elsewhere
  const gitdir = `--git-dir=${repositories.path(company.id)}`;
  expect(await nativeGit(dir, gitdir, "-c", "safe.directory=*", "fsck", "--full", "--strict", "--no-dangling")).toBe(
    "",
  );
});

test("exports a PDF that proves its version", async () => {
  await server.running.services.repositories.drain(company.id);
  const { status, bytes } = await manager.send({ path: `/api/sops/${id}/export?format=pdf` });
  expect(status).toBe(200);
  const file = path.join(dir, "rinse.pdf");
  writeFileSync(file, bytes);
  const sop = path.resolve(import.meta.dirname, "../../cli/main.ts");
  const told = await new Promise<string>((resolve) => {
    execFile(process.execPath, [sop, "verify", file], (_error, stdout, stderr) => resolve(stdout + stderr));
  });
  expect(told).toMatch(/^OK {2}the attached text is SOP-0001 v1, as/);
});

test("answers a clone with one line", async () => {
  expect(await asked("GET", "info/refs?service=git-upload-pack")).toEqual(cannotClone);
  expect(await asked("POST", "git-upload-pack")).toEqual(cannotClone);
  const address = `http://x:${token}@${new URL(server.url).host}/git/${slug}.git`;
  const { code, stderr } = await runGit(dir, "clone", "-q", address, "clone");
  expect([code, stderr]).toEqual([128, expect.stringContaining(`remote: ${cannotClone.told}`)]);
});

test("answers a push with one line", async () => {
  expect(await asked("GET", "info/refs?service=git-receive-pack")).toEqual(cannotPush);
  expect(await asked("POST", "git-receive-pack")).toEqual(cannotPush);
  expect(existsSync(path.join(server.dataDir, "pushes"))).toBe(false);
});

test("answers a request to pack with one line", async () => {
  await expect(server.running.services.repositories.repack(company.id)).rejects.toThrow(
    /^This server has no git, so it can't pack a repository$/,
  );
});
