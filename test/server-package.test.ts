/** The package of the server as an operator has it: an empty folder, the file, npm. No build, no sources. */
import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { round } from "../bench/figure.ts";
import { npmEnv, packedFile } from "./cli/npm.ts";
import { makeFolder, type Folder } from "./cli/run-sop.ts";
import { exchange } from "./http.ts";
import { node, nodeEnv, project } from "./node-program.ts";
import { recordFigure } from "./proof.ts";
import { startProcess } from "./server-process.ts";

const admin = { username: "root", password: "a long walk to the river" };
const settings = { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, LOG_LEVEL: "error" };

let folder: Folder;
let installSeconds = 0;
const secondsSince = (began: number) => (performance.now() - began) / 1000;
const at = (...names: string[]) => join(folder.path, ...names);
const program = () => at("node_modules/.bin/sopwright-server");
const installed = (...names: string[]) => at("node_modules/sopwright-server", ...names);
const filesOf = (dir: string) =>
  readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(dir, name)).isFile());

const start = (args: string[] = [], env: Record<string, string> = {}) =>
  startProcess({ ...env, TMPDIR: folder.path }, program(), { args, cwd: folder.path });

function run(...args: string[]) {
  const env = { PATH: nodeEnv.PATH, HOME: folder.path };
  return spawnSync(node, [program(), ...args], { cwd: folder.path, encoding: "utf8", env });
}

beforeAll(() => {
  folder = makeFolder({
    ".env": Object.entries({ ...settings, DATA_DIR: "./kept" })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  });
  const args = ["install", packedFile("sopwright-server"), "--no-audit", "--no-fund"];
  const began = performance.now();
  const ran = spawnSync("npm", args, { cwd: folder.path, encoding: "utf8", env: npmEnv(folder.path) });
  installSeconds = secondsSince(began);
  expect([ran.status, ran.stderr]).toEqual([0, ""]);
}, 300_000);
afterAll(() => folder.remove());

async function signIn(url: string, credentials: { username: string; password: string }) {
  const headers = { "content-type": "application/json", origin: url };
  const signedIn = await exchange(url, {
    method: "POST",
    path: "/api/auth/login",
    headers,
    body: JSON.stringify(credentials),
  });
  expect([signedIn.status, signedIn.body]).toEqual([200, expect.any(String)]);
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async (path: string, body?: object) => {
    const content = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const answer = await exchange(url, { path, ...content, headers: { ...headers, cookie } });
    expect([path, answer.status < 300 ? "" : answer.body]).toEqual([path, ""]);
    return answer;
  };
}

const proseOf = (page: string) => readFileSync(page, "utf8").replaceAll(/^(`{3,}|~{3,})[^]*?^\1|`[^`\n]+`/gm, "");

describe("the installed package", { timeout: 120_000 }, () => {
  test("has 92 MB with all native parts, and neither sources nor places of the build", () => {
    const all = filesOf(at("node_modules"));
    const size = all.reduce((sum, name) => sum + statSync(at("node_modules", name)).size, 0);
    expect(size).toBeLessThanOrEqual(92 * 2 ** 20);
    for (const name of filesOf(installed()).filter((one) => /\.(js|json|html|md|txt)$/.test(one))) {
      expect(readFileSync(installed(name), "utf8").includes(project), name).toBe(false);
    }
    expect(filesOf(installed()).filter((name) => /\.(ts|tsx|map)$|metafile/.test(name))).toEqual([]);
    const notices = ["NOTICE.txt", "NOTICE.web.md"].map((name) => readFileSync(installed(name), "utf8"));
    expect(notices[0]).toMatch(/^(koa|mongodb) /m);
    expect(notices[1]).toMatch(/react-dom/);
  });

  test("brings the pages for operators and each file of deploy, and its own page leads to them", () => {
    const here = new Set(filesOf(installed()));
    for (const name of filesOf(join(project, "deploy"))) expect(here).toContain(`deploy/${name}`);
    const links = [...readFileSync(installed("README.md"), "utf8").matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const [, link = ""] of links) expect(here).toContain(link);
    for (const page of ["backup", "operations", "scale", "upgrade"]) expect(here).toContain(`docs/${page}.md`);
    // the first step of an upgrade
    expect(readFileSync(installed("docs", "upgrade.md"), "utf8")).toContain("(../CHANGELOG.md)");
    expect(here).toContain("CHANGELOG.md");
  });

  test("brings the pages that are made, and each link of its docs leads to a page", () => {
    expect(readFileSync(installed("docs", "cli.md"), "utf8")).toContain("### sop push");
    const docs = filesOf(installed("docs"));
    const dead = docs
      .filter((name) => name.endsWith(".md"))
      .flatMap((name) =>
        [...proseOf(installed("docs", name)).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+\.md)/g)]
          .map(([, link = ""]) => posix.join(posix.dirname(name), link))
          .filter((link) => !existsSync(installed("docs", link))),
      );
    expect(dead).toEqual([]);
  });

  test("says how it is used, and what it can't do", () => {
    const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { version: string };
    expect(run("--version")).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
    expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("Usage: sopwright-server") });
    expect(run("serev")).toMatchObject({ status: 2, stdout: "" });
    expect(run("admin", "--help").stdout).toContain("verify");
  });

  test("names the Node that it needs in one line, to an older one", () => {
    const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.21.0" } })`;
    const ran = spawnSync(node, ["--import", `data:text/javascript,${older}`, program()], { encoding: "utf8" });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([
      2,
      "",
      "sopwright-server: needs Node 24 or newer, this is Node 22.21.0\n",
    ]);
  });

  test("serves the app, import, search, PDF, Word, git and the terminal's package; admin verify finds no fault", async () => {
    const began = performance.now();
    const server = await start();
    const { url } = server;
    const page = await exchange(url, { path: "/" });
    recordFigure({
      name: "from the packed file to the first page",
      value: round(installSeconds + secondsSince(began)),
      unit: "s",
      goal: "<= 20",
    });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const parts = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(parts.length).toBeGreaterThan(3);
    for (const path of parts) expect([path, (await exchange(url, { path })).status]).toEqual([path, 200]);

    const send = await signIn(url, admin);
    const text = "# Calibrate the scale\n\n## Procedure\n\n1. Put the *weight* on the scale. 🙂\n";
    const sha256 = createHash("sha256").update(text).digest("hex");
    const documents = [{ path: "scale.md", text, sha256 }];
    const imported = await send("/api/sops/import", { importId: randomUUID(), documents });
    const [{ id } = { id: "" }] = (imported.json() as { results: { id: string }[] }).results;
    await vi.waitFor(async () => expect((await send("/api/sops?search=calibrat")).body).toContain(id), 20_000);

    const pdf = await send(`/api/sops/${id}/export?format=pdf`);
    expect(pdf.bytes.subarray(0, 5).toString()).toBe("%PDF-");
    const word = unzipSync((await send(`/api/sops/${id}/export?format=docx`)).bytes);
    expect(Buffer.from(word["word/document.xml"] ?? []).toString()).toContain("weight");

    const sent = await exchange(url, { path: "/cli/sopwright.tgz" });
    expect(sent.bytes.equals(readFileSync(packedFile()))).toBe(true);

    const scopes = ["sops:read", "repo:read"];
    const { token } = (await send("/api/tokens", { name: "clone", scopes })).json() as { token: string };
    const { slug } = (await send("/api/company")).json() as { slug: string };
    const address = `${url.replace("//", `//x:${token}@`)}/git/${slug}.git`;
    await vi.waitFor(
      () => {
        const cloned = spawnSync("git", ["clone", "--quiet", "--branch", "history", address, `clone-${randomUUID()}`], {
          cwd: folder.path,
          encoding: "utf8",
        });
        expect([cloned.status, cloned.stderr]).toEqual([0, ""]);
      },
      { timeout: 30_000, interval: 500 },
    );
    const [clone = ""] = readdirSync(folder.path).filter((name) => name.startsWith("clone-"));
    expect(filesOf(at(clone)).some((name) => name.endsWith("calibrate-the-scale.md"))).toBe(true);

    expect(await server.stop("SIGTERM")).toBe(0);
    expect(readdirSync(at("kept"))).toContain("sopwright.db");
    expect(run("admin", "verify")).toMatchObject({ status: 0 });
  });

  test("shows the demo", async () => {
    const server = await start(["demo"]);
    expect(server.output()).toMatch(/^preparing the demo …\n/);
    const [, password = ""] = /^Password of every user: (.+)$/m.exec(server.output()) ?? [];
    const [, username = ""] = /^ {2}(\S+) +manager /m.exec(server.output()) ?? [];
    const send = await signIn(server.url, { username, password });
    const { data } = (await send("/api/sops")).json() as { data: unknown[] };
    expect(data.length).toBeGreaterThan(5);
    await server.stop("SIGINT");
  });
});
