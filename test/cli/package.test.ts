/** The package as a stranger has it: an empty folder, the file, npm, and a server. */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { node, project } from "../node-program.ts";
import { startServer, type TestServer } from "../server.ts";
import { npmEnv, packedFile } from "./npm.ts";
import { makeFolder, type Folder } from "./run-sop.ts";

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

let folder: Folder;
let server: TestServer;
const at = (...names: string[]) => join(folder.path, ...names);
const installed = (...names: string[]) => at("node_modules/sopwright", ...names);

function run(program: string, args: readonly string[], cwd = folder.path, input = ""): Promise<Ended> {
  return new Promise((done, reject) => {
    const child = spawn(program, args, { cwd, env: npmEnv(folder.path) });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.once("error", reject);
    child.once("close", (code) => done({ code, stdout, stderr }));
    child.stdin.on("error", () => {}).end(input);
  });
}
const npm = (...args: string[]) => run("npm", [...args, "--no-audit", "--no-fund"]);
const sop = (...args: string[]) => run(at("node_modules/.bin/sop"), args);
const filesOf = (dir: string) =>
  readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(dir, name)).isFile());
const sizeOf = (dir: string) => filesOf(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);

const good = `---\ntitle: "Wash hands"\ndescription: "Clean hands."\nowner: "eve"\n---\n\n## Purpose\n\nHands are clean.\n\n## Scope\n\nEveryone.\n\n## Responsibilities\n\n- **Everyone:** clean hands\n\n## Procedure\n\n1. Open the tap.\n2. Take soap.\n`;

beforeAll(async () => {
  folder = makeFolder({ "docs/good.md": good, "docs/bad.md": good.replace("Take soap.", "TODO") });
  server = await startServer("sqlite");
  const ran = await npm("install", packedFile());
  expect(ran.code, ran.stderr).toBe(0);
}, 180_000);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

describe("the installed package", { timeout: 120_000 }, () => {
  test("has 8 MB with the parser, and neither sources nor other programs nor places of the build", () => {
    expect(sizeOf(at("node_modules"))).toBeLessThanOrEqual(8 * 2 ** 20);
    expect(readdirSync(at("node_modules")).filter((name) => !name.startsWith("."))).toEqual(["@bruits", "sopwright"]);
    const files = filesOf(installed());
    expect(files.filter((name) => !/\.js$|^templates\/(sops|workspace|pdf)\//.test(name)).sort()).toEqual([
      "LICENSE",
      "NOTICE.txt",
      "README.md",
      "package.json",
    ]);
    for (const name of files) {
      const text = readFileSync(installed(name), "utf8");
      expect(text.includes(project), name).toBe(false);
      expect(/from ?"(koa|react|mongodb)|vitest/.test(text), name).toBe(false);
    }
    const notice = readFileSync(installed("NOTICE.txt"), "utf8");
    for (const name of ["commander", "docx", "mammoth", "openai", "zod"]) expect(notice).toMatch(`\n${name} `);
  });

  test("is what the server sends", async () => {
    const sent = await fetch(`${server.url}/cli/sopwright.tgz`);
    const sha512 = (bytes: Uint8Array) => createHash("sha512").update(bytes).digest("hex");
    expect(sha512(await sent.bytes())).toBe(sha512(readFileSync(packedFile())));
    expect(sent.headers.get("set-cookie")).toBeNull();
  });

  test("runs by npx and as a global program", async () => {
    const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { version: string };
    cpSync(packedFile(), at("sopwright.tgz"));
    expect(await run("npx", ["--yes", "./sopwright.tgz", "--version"])).toMatchObject({
      code: 0,
      stdout: `${version}\n`,
    });
    const ran = await npm("install", "--global", packedFile());
    expect(ran.code, ran.stderr).toBe(0);
    expect(await run("sop", ["--version"])).toMatchObject({ code: 0, stdout: `${version}\n` });
    const pdf = await run("sop", ["export", "--from-dir", "docs", "--format", "pdf", "-o", "pdf"]);
    expect(pdf.stderr).toMatch(/\n {2}npm install --global @expo-google-fonts\//);
  });

  test("names the Node that it needs in one line, to an older one", () => {
    const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })`;
    const ran = spawnSync(node, ["--import", `data:text/javascript,${older}`, installed("sop.js"), "--help"], {
      encoding: "utf8",
    });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([
      2,
      "",
      "sop: needs Node 22.13 or newer, this is Node 20.20.2\n",
    ]);
    expect(JSON.parse(readFileSync(installed("package.json"), "utf8"))).toMatchObject({ engines: { node: ">=22.13" } });
  });
});

describe("without a server", { timeout: 120_000 }, () => {
  test("help, lint and fmt", async () => {
    expect(await sop("--help")).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("Usage: sop") });
    expect((await sop("--hepl")).code).toBe(2);
    expect(await sop("lint", "docs/good.md")).toMatchObject({ code: 0 });
    expect(await sop("lint", "docs/bad.md")).toMatchObject({ code: 1, stdout: expect.stringContaining("TODO") });
    expect((await sop("lint", "absent.md")).code).toBe(2);
    folder.write({ "odd.md": good.replace("- **Every", "* **Every") });
    expect((await sop("fmt", "--check", "odd.md")).code).toBe(1);
    expect((await sop("fmt", "odd.md")).code).toBe(0);
    expect(readFileSync(at("odd.md"), "utf8")).toBe(good);
    expect((await sop("fmt", "absent.md")).code).toBe(2);
  });

  test("lint starts threads for many files", async () => {
    folder.write(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`many/sops/${index}.md`, good])));
    expect((await run(at("node_modules/.bin/sop"), ["lint"], at("many"))).code).toBe(0);
  });

  test("generate from a template", async () => {
    expect((await sop("generate", "Onboard a new employee", "--no-ai", "-o", "new.md")).code).toBe(0);
    expect(readFileSync(at("new.md"), "utf8")).toMatch(/^---\ntitle: "/);
    expect((await sop("generate", "x", "--template", "absent", "-o", "y.md")).code).toBe(2);
  });

  test("export in every format that needs no typesetter, and import of Word", async () => {
    const out = (format: string, name: string) =>
      sop("export", "--from-dir", "docs", "--format", format, "-o", `out/${name}`);
    for (const format of ["html", "site", "docx", "md"]) {
      expect(await out(format, format), format).toMatchObject({ code: 0, stderr: "" });
    }
    expect((await out("json", "all.json")).code).toBe(0);
    expect(readFileSync(at("out/html/good.html"), "utf8")).toMatch(/<li id="[^"]+">Open the tap\./);
    expect(readFileSync(at("out/site/site/minisearch.js"), "utf8")).toContain(".MiniSearch=");
    expect(await sop("import", "out/docx", "--to-dir", "back")).toMatchObject({ code: 0 });
    expect(readFileSync(at("back/out/docx/good.md"), "utf8")).toContain("1. Open the tap.\n2. Take soap.");
    expect((await out("odt", "odt")).code).toBe(2);
    expect((await sop("import", "absent.docx", "--to-dir", "back")).code).toBe(2);
  });

  test("PDF: one line, the command that adds it, exit 2", async () => {
    const ran = await sop("export", "--from-dir", "docs", "--format", "pdf", "-o", "out/pdf");
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr.trimEnd().split("\n")).toEqual([
      "error: PDF needs the typesetter and its fonts (80 MB)",
      expect.stringMatching(
        new RegExp(`^ {2}npm install --prefix ${folder.path} .*@myriaddreamin/typst\\S*@0\\.7\\.0`),
      ),
    ]);
    expect((await sop("admin", "demo")).stderr).toContain("needs the server's program");
  });

  test("the parser is optional", async () => {
    const ran = spawnSync(at("node_modules/.bin/sop"), ["fmt", "--check", "docs"], {
      cwd: folder.path,
      env: { ...npmEnv(folder.path), NAPI_RS_NATIVE_LIBRARY_PATH: "/absent" },
      encoding: "utf8",
    });
    expect([ran.status, ran.stderr]).toEqual([0, expect.not.stringContaining("rror")]);
  });
});

describe("with a server", { timeout: 120_000 }, () => {
  test("login, push, pull, and each refused", async () => {
    const editor = await (await server.company()).user("editor");
    const scopes = ["sops:read", "sops:write"] as const;
    const { token } = await editor.client.tokens.create({ body: { name: "t", scopes: [...scopes] } });
    const ws = at("ws");
    const inWs = (args: string[], input = "") => run(at("node_modules/.bin/sop"), args, ws, input);
    expect((await sop("init", "ws")).code).toBe(0);
    expect((await inWs(["push"])).code).not.toBe(0);
    const login = (text: string) => inWs(["login", "--token-stdin", "--server", server.url], text);
    expect((await login("sop_pat_wrong")).code).toBe(4);
    expect(await login(token)).toMatchObject({ code: 0 });
    expect((await inWs(["whoami"])).stdout).toContain(editor.username);

    folder.write({ "ws/sops/it/wash.md": good.replace('owner: "eve"', `owner: "${editor.username}"`) });
    expect(await inWs(["push"])).toMatchObject({ code: 0 });
    const [sent] = (await editor.client.sops.list()).data;
    expect(sent).toMatchObject({ title: "Wash hands", version: 1 });
    await editor.client.sops.update({ params: { id: sent?.id ?? "" }, body: { markdown: "## Purpose\n\nNew.\n" } });
    expect(await inWs(["pull"])).toMatchObject({ code: 0 });
    const [file = ""] = filesOf(join(ws, "sops"));
    expect(readFileSync(join(ws, "sops", file), "utf8")).toContain("New.");
    expect((await inWs(["export", "absent"])).code).toBe(2);
    expect((await inWs(["pull", "--server", "http://127.0.0.1:9"])).code).not.toBe(0);
    expect((await inWs(["logout"])).code).toBe(0);
    expect(existsSync(join(ws, ".sop"))).toBe(true);
  });
});
