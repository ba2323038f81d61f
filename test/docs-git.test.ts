/**
 * Every command of `docs/git.md` runs against the demo, in the order of the page. Commands are the lines of code blocks,
 * and code in tables and sentences that begins with a program's name. A new one is run without a change here, unless it
 * has a placeholder that no rule below fills.
 */
import { spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoPassword } from "../server/admin/demo/seed.ts";
import { git, gitFolder, runGit } from "./git.ts";
import { pdfAttachments } from "../cli/workspace/pdf-attachments.ts";
import { node, project } from "./node-program.ts";
import { startProcess, type ServerProcess } from "./server-process.ts";

const page = readFileSync(path.join(project, "docs/git.md"), "utf8");
const company = "brackenfold-foods";
const hasGit = ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"].some(existsSync);

interface Documented {
  line: number;
  text: string;
}

/** The commands of the page, in its order. */
function commandsOf(markdown: string): Documented[] {
  const found: Documented[] = [];
  let isBlock = false;
  for (const [index, line] of markdown.split("\n").entries()) {
    const note = (text: string) => found.push({ line: index + 1, text });
    if (line.startsWith("```")) isBlock = !isBlock;
    else if (isBlock) note(line);
    // without an argument, and as the text of a link, a sentence only names a command
    else for (const [, code = ""] of line.matchAll(/(?<!\[)`((?:git|sop|python3) [^ `]+ [^`]+)`/g)) note(code);
  }
  return found;
}

/** One folder for all commands: `clone` is the clone, and the others are beside it. */
let dir = "";
let remove = () => {};
let demo: ServerProcess;
let token = "";
/** Part of the clone, as an auditor noted it. */
let noted = "";
let clones = 0;
let pushes = 0;

const clone = () => path.join(dir, "clone");

beforeAll(async () => {
  if (!hasGit) return;
  ({ dir, remove } = gitFolder());
  const args = ["demo", "--data-dir", path.join(dir, "data"), "--serve"];
  demo = await startProcess({}, "bin/start.ts", { args });
  const signedIn = await call("/api/auth/login", { username: "helen.marsh", password: demoPassword });
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(";")[0]);
  const scopes = ["repo:read", "repo:push", "sops:read", "sops:write"];
  const created = await call("/api/tokens", { name: "docs", scopes }, { cookie: cookie.join("; ") });
  ({ token } = (await created.json()) as { token: string });
  writeFileSync(path.join(dir, "sop"), `#!/bin/sh\nexec "${node}" "${project}/cli/main.ts" "$@"\n`);
  chmodSync(path.join(dir, "sop"), 0o755);
  copyFileSync(path.join(project, "verify.py"), path.join(dir, "verify.py"));
}, 300_000);
afterAll(async () => {
  await demo?.stop("SIGKILL");
  remove();
});

function call(at: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const { origin } = new URL(demo.url);
  const all = { origin, "content-type": "application/json", ...headers };
  return fetch(demo.url + at, { method: "POST", headers: all, body: JSON.stringify(body) });
}

/** The page's placeholders, filled for the demo. */
function filled(text: string): string {
  const address = `http://x:${token}@${new URL(demo.url).host}/git/${company}.git`;
  return text
    .replace(/https:\/\/x:sop_pat_…@sop\.example\.org\/git\/<company>\.git/, address)
    .replace("https://sop.example.org", demo.url)
    .replace("<company>", company)
    .replace(/…$/, address)
    .replace("sops/<category>/<file>", aFile())
    .replace("<category>", aFile().split("/")[1] ?? "")
    .replace("sop-0042/v3", aTag())
    .replace("<commit>", text.includes(".pdf") ? pdfCommit() : noted)
    .replace("commit-….txt", `commit-${pdfCommit()}.txt`)
    .replace("refs/proposals/7", "refs/proposals/1")
    .replace("<name>", "rinse");
}

/** Published SOPs. */
function files(): string[] {
  if (!existsSync(path.join(clone(), "sops"))) return [];
  const names = readdirSync(path.join(clone(), "sops"), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".md"))
    .map((name) => `sops/${name}`)
    .toSorted();
}

const aFile = (): string => files()[0] ?? "";

function change(file: string, line: string): void {
  writeFileSync(path.join(clone(), file), `${textOf(file).trimEnd()}\n\n${line}\n`);
}

function aTag(): string {
  const [number = ""] = /sop-\d+/.exec(aFile()) ?? [];
  return `${number}/v${/^version: (\d+)$/m.exec(textOf(aFile()))?.[1]}`;
}

/** The commit that the exported PDF carries. */
function pdfCommit(): string {
  const name = readdirSync(dir).find((file) => /^commit-\w+\.txt$/.test(file)) ?? "";
  return name.slice("commit-".length, -".txt".length);
}

/** Exports the first SOP as PDF, and saves the files that it carries. */
async function exportPdf(): Promise<void> {
  if (pdfCommit() !== "") return;
  const [, id = ""] = /^id: "(.*)"$/m.exec(textOf(aFile())) ?? [];
  const query = `format=pdf&version=${aTag().split("/v")[1]}`;
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${demo.url}/api/sops/${id}/export?${query}`, { headers });
  expect(answer.status).toBe(200);
  const pdf = Buffer.from(await answer.arrayBuffer());
  writeFileSync(path.join(dir, "sop-0042.pdf"), pdf);
  for (const { name, content } of pdfAttachments(pdf)) writeFileSync(path.join(dir, name), content);
}

function textOf(file: string): string {
  return file === "" ? "" : readFileSync(path.join(clone(), file), "utf8");
}

/** What its sentence assumes is there before a command runs. @returns the folder to run it in */
async function prepare(text: string): Promise<string> {
  if (/^git (-c \S+="[^"]*" )?clone/.test(text)) {
    const isFirst = text.endsWith(" clone");
    if (isFirst) return dir;
    clones += 1;
    const at = path.join(dir, `clones-${clones}`);
    mkdirSync(at);
    return at;
  }
  if (text.startsWith("git show witness")) {
    // as in a clone of a mirror
    await git(clone(), "tag", "-a", "-m", "Heads", text.replace("git show ", ""), "origin/main");
  }
  if (text.startsWith("git hash-object")) return dir;
  if (/^(python3|sop verify|sop admin)/.test(text)) {
    // a clone that its user works in differs from its commit
    await git(clone(), "checkout", "-q", "--force", "--detach", "origin/main");
    return dir;
  }
  if (/^sop (?:init|pull|push|status)/.test(text)) {
    const own = path.join(dir, "own");
    if (!existsSync(own)) expect((await run("sop init own", dir)).code).toBe(0);
    return own;
  }
  if (/^sop (?:import|ci)/.test(text)) await git(clone(), "checkout", "-q", "--detach", "origin/main");
  if (text.startsWith("sop ci")) change(files()[1] ?? "", "Rinse it.");
  if (text.startsWith("git fetch origin 'refs/proposals")) {
    // beside the drafts that were pushed before, this text is a conflict
    await git(clone(), "checkout", "-q", "--detach", "origin/main");
    change(aFile(), "Rinse it never.");
    await git(clone(), "commit", "-q", "-a", "-m", "Rinse never");
    const proposed = await runGit(clone(), "push", "origin", "HEAD:refs/for/main");
    expect(proposed.stderr).toContain("conflict, proposal 1");
  }
  if (text.startsWith("git push")) {
    // further commits of one branch go on top of each other
    if (pushes === 0) await git(clone(), "checkout", "-q", "--detach", "origin/main");
    pushes += 1;
    change(aFile(), `Rinse it ${pushes} times.`);
    await git(clone(), "commit", "-q", "-a", "-m", `Rinse ${pushes} times`);
  }
  return clone();
}

function run(text: string, cwd: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-e", "-o", "pipefail", "-c", text], {
      cwd,
      env: {
        PATH: `${dir}:${process.env["PATH"]}`,
        HOME: dir,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_TERMINAL_PROMPT: "0",
        GIT_PAGER: "cat",
        GIT_EDITOR: "true",
        GIT_AUTHOR_NAME: "Ada",
        GIT_AUTHOR_EMAIL: "ada@example.org",
        GIT_COMMITTER_NAME: "Ada",
        GIT_COMMITTER_EMAIL: "ada@example.org",
        SOP_SERVER: demo.url,
        SOP_TOKEN: token,
        SOP_KEYRING: "off",
        DATA_DIR: path.join(dir, "data"),
      },
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}

/** What a command must say, by what it begins with. All others must only end well. */
const says: [RegExp, RegExp | string][] = [
  [/^git push/, /remote: .*: draft v\d+ on top of v\d+ of SOP-\d+/],
  [/^git log --notes/, "Approved-by: "],
  [/^git log --follow/, /^publish|^commit /m],
  [/^git show sop-/, /publish\(SOP-\d+\)/],
  [/^git blame index/, /\[SOP-\d+ /],
  [/^sop verify \S+\.pdf/, /^OK {2}the attached text is SOP-\d+ v\d+/],
  [/^git hash-object/, /^[0-9a-f]{40}$/m],
  [/^git show witness/, "Heads"],
  [/^sop verify clone/, /^OK .*[^]*\bhistory: \d+ commits/],
  [/^python3 verify\.py/, /^yes: \d+ versions/m],
  [/^sop ci/, /^1 document changed, 0 errors/m],
  [/^sop import sops --dry-run/, /Plan: .*unchanged/],
  [/^sop admin verify/, /events agree/],
];
/** 10: there would be something to import. */
const endsWell = (text: string): (number | null)[] => (text.includes("--detailed-exitcode") ? [0, 10] : [0]);

describe.runIf(hasGit)("docs/git.md", { timeout: 300_000 }, () => {
  const commands = commandsOf(page);

  test("has commands for writers, CI and auditors", () => {
    const programs = commands.map(({ text }) => text.split(" ").slice(0, 2).join(" "));
    for (const wanted of ["git clone", "git push", "git log", "sop ci", "sop verify", "python3 verify.py"])
      expect(programs).toContain(wanted);
  });

  // one after the other: each needs what the ones before made
  test.each(commands)("line $line: $text", async ({ text }) => {
    if (/\.pdf|commit-…/.test(text)) await exportPdf();
    const command = filled(text);
    expect(command).not.toMatch(/<[a-z]+>|…|example\.org/);
    const { code, output } = await run(command, await prepare(command));
    expect({ command, code: endsWell(text).includes(code), output }).toEqual({ command, code: true, output });
    for (const [begins, said] of says) if (begins.test(text)) expect(output).toMatch(said);
    if (noted === "") noted = (await runGit(clone(), "rev-parse", "origin/history")).stdout.trim();
  });
});
