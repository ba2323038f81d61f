import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callSop, makeFolder, runSop, type Folder } from "./run-sop.ts";

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

const sop = (...args: string[]) => callSop(args, { cwd: folder.path });
const sopWith = (input: string | Uint8Array, ...args: string[]) => runSop(args, { cwd: folder.path, input });
const minimal = ["--preset", "minimal"];

const head = '---\ntitle: "Reset"\ndescription: "How to reset."\nowner: "grace"\n---\n\n';
const clean = `${head}## Procedure\n\n1. Press the button.\n`;
const broken = `${head}# Reset\n\n1. Press TODO.\n`;
const skipping = `${head}## Procedure\n\n#### Deep\n\n1. Press the button.\n`;

interface Data {
  totals: Record<string, number>;
  files: { path: string; findings: { rule: string; line: number }[] }[];
}
const dataOf = (ran: { stdout: string }) => (JSON.parse(ran.stdout) as { data: Data }).data;

it("says in one line that a document of another tool isn't an SOP yet; json and -v have all issues", async () => {
  folder.write({ "a.md": "# Reset a pump\n\nText TODO.\n", "b.md": "---\ntitle: T\nlayout: x\n---\n\nText.\n" });
  const { stdout } = await sop("lint");
  const lines = stdout.split("\n").filter((line) => /error/.test(line));
  expect(lines).toEqual([
    expect.stringMatching(
      /format +Not an SOP yet \(6 issues, -v lists them\)\. Convert it: sop import a\.md --to-dir <dir>; --fix/,
    ),
    expect.stringMatching(/text\/placeholder/),
    expect.stringMatching(
      /format +Not an SOP yet \(6 issues, -v lists them\)\. Convert it: sop import b\.md --to-dir <dir>$/,
    ),
  ]);
  expect((await sop("lint", "-v")).stdout).toContain("The section Scope is missing");
  expect(dataOf(await sop("lint", "--json")).totals).toMatchObject({ error: 13 });
  folder.write({ "a.md": clean, "b.md": clean.replace('owner: "grace"\n', "") });
  expect((await sop("lint", ...minimal)).stdout).toContain("owner is missing");
});

describe("sop lint", () => {
  it("says nothing on stdout about clean files", async () => {
    folder.write({ "a.md": clean, "b/c.md": clean });
    expect(await sop("lint", ...minimal)).toEqual({
      code: 0,
      stdout: "",
      stderr: "0 errors, 0 warnings in 2 files\n",
    });
    expect(await sop("lint", "-q", "b", ...minimal)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("prints findings with file, line and column, says what --fix repairs, and exits 1", async () => {
    folder.write({ "a.md": broken, "b.md": clean });
    const ran = await sop("lint", ...minimal);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(
      /^a\.md\n {4}7:1 {2}error {4}struct\/no-h1 +\S.*\n {3}9:10 {2}error {4}text\/placeholder +\S.*\n\n$/,
    );
    expect(ran.stderr).toBe("2 errors, 0 warnings in 2 files; --fix repairs 1\n");
  });

  it("uses the recommended preset by default", async () => {
    folder.write({ "a.md": clean });
    expect(dataOf(await sop("lint", "--json")).files[0]?.findings.map(({ rule }) => rule)).toContain("struct/sections");
  });

  it.each([
    [[], 0],
    [["--fail-on", "warning"], 1],
    [["--max-warnings", "0"], 1],
    [["--max-warnings", "1"], 0],
    [["--rule", "struct/heading-increment=error"], 1],
    [["--rule", "struct/heading-increment=error", "--fail-on", "never"], 0],
    [["--rule", "struct/heading-increment=off", "--fail-on", "warning"], 0],
  ])("one warning with %j exits %i", async (flags, code) => {
    folder.write({ "a.md": skipping });
    expect((await sop("lint", ...minimal, ...flags, "a.md")).code).toBe(code);
  });

  it("names files from the working folder, in every workspace", async () => {
    folder.write({ "handbook/sop.config.yaml": "preset: minimal\n", "handbook/it/a.md": broken });
    expect(dataOf(await sop("lint", "handbook/it", "--json")).files[0]?.path).toBe("handbook/it/a.md");
    expect(dataOf(await sop("-C", "handbook/it", "lint", "--json")).files[0]?.path).toBe("a.md");
  });

  it("stdin has the name and the config it is given", async () => {
    folder.write({ "sub/sop.config.yaml": "preset: minimal\nrules:\n  struct/heading-increment: off\n" });
    const named = await sopWith(skipping, "lint", "-", "--stdin-filename", "sub/x.md");
    expect(named).toMatchObject({ code: 0, stdout: "" });
    const plain = await sopWith(broken, "lint", "-", "--format", "compact", ...minimal);
    expect(plain.code).toBe(1);
    expect(plain.stdout).toMatch(
      /^stdin:7:1: error: .*\[struct\/no-h1\]\nstdin:9:10: error: .*\[text\/placeholder\]\n$/,
    );
  });

  it("lists and explains rules", async () => {
    expect((await sop("lint", "--list-rules", ...minimal)).stdout).toMatch(/^meta\/required +error +\S/);
    const { stdout } = await sop("lint", "--explain", "meta/dates");
    expect(stdout).toMatch(/^meta\/dates \(error, safe fix\)\n[^]+\nFrom: [^]+\n\nGood:\n {4}[^]+\nBad:\n {4}[^]+\n$/);
  });
});

describe("files against one another", () => {
  const named = (sopNumber: string, text = "1. Press the button.\n") =>
    `---\nsop: "${sopNumber}"\ntitle: "T"\ndescription: "D"\nowner: "grace"\n---\n\n## Procedure\n\n${text}`;

  it("finds numbers given twice and links that lead nowhere", async () => {
    folder.write({
      "sop.config.yaml": "preset: minimal\n",
      "a.md": named("SOP-0001", "1. See [b](b.md#deep), [c](c.md) and [no](no.md).\n"),
      "b.md": named("SOP-0001"),
      "c.md": named("SOP-0003"),
    });
    const { files } = dataOf(await sop("lint", "--json"));
    const found = files.map(({ path, findings }) => [path, findings.map(({ rule }) => rule)]);
    const twice = "meta/id-unique";
    expect(found).toEqual([
      ["a.md", [twice, "ref/internal-link", "ref/internal-link"]],
      ["b.md", [twice]],
      ["c.md", []],
    ]);
    // A file checked alone still knows its neighbors, and their issues are not reported.
    const alone = dataOf(await sop("lint", "--json", "a.md"));
    expect(alone.files).toEqual(files.slice(0, 1));
    expect(dataOf(await sop("lint", "--json", "--no-cache", "a.md"))).toEqual(alone);
  });

  it("number, id and version are the server's: a workspace knows what it gave out", async () => {
    const id = "0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10";
    const tracked = { number: "SOP-0001", path: "a.md", remotePath: "a.md", version: 3, sha256: "x" };
    const state = JSON.stringify({ schema: 1, server: "s", company: "c", sops: { [id]: tracked } });
    folder.write({ "sop.config.yaml": "preset: minimal\n", ".sop/state.json": state, "a.md": named("SOP-0001") });
    expect((await sop("lint")).code).toBe(0);
    folder.write({ "a.md": named("SOP-0002") });
    expect((await sop("lint", "--format", "compact")).stdout).toMatch(/^a\.md:2:1: error: .*\[meta\/server-owned\]\n$/);
    folder.write({ ".sop/state.json": "{" });
    expect(await sop("lint", "-v")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(".sop/state.json: this is"),
    });
  });

  it("in a folder that is no workspace only links are followed", async () => {
    folder.write({ "a.md": named("SOP-0001", "1. See [b](b.md#deep).\n"), "b.md": named("SOP-0001") });
    const { files } = dataOf(await sop("lint", "--json", ...minimal, "a.md"));
    expect(files[0]?.findings.map(({ rule }) => rule)).toContain("ref/internal-link");
  });
});

describe("bad input", () => {
  it("a file that can't be read is a finding, and the others are checked", async () => {
    folder.write({
      "broken.md": "---\ntitle: [\n---\n\nx\n",
      "script.md": "---js\n{}\n---\n\nx\n",
      "latin1.md": Uint8Array.of(0xe4),
      "utf16.md": Uint8Array.of(0xff, 0xfe, 0x61, 0x00),
      "nul.md": "a\0b\n",
      "empty.md": "",
      "huge.md": "x".repeat(1_200_000),
      "deep.md": `${head}${">".repeat(5_000)} x\n`,
      "clean.md": clean,
      "clean-crlf.md": `\uFEFF${clean.replaceAll("\n", "\r\n")}`,
    });
    symlinkSync("clean.md", `${folder.path}/link.md`);
    const ran = await sop("lint", "--json", ...minimal);
    expect(ran.code).toBe(1);
    const parse = dataOf(ran).files.map(({ path, findings }) => [
      path,
      findings.map(({ rule }) => rule).find((rule) => rule.startsWith("parse/")),
    ]);
    expect(parse).toEqual([
      ["broken.md", "parse/front-matter"],
      ["clean-crlf.md", undefined],
      ["clean.md", undefined],
      ["deep.md", "parse/text"],
      ["empty.md", "parse/empty"],
      ["huge.md", "parse/too-large"],
      ["latin1.md", "parse/not-utf8"],
      ["nul.md", "parse/not-text"],
      // Front matter in another language counts as text; its fields are missing.
      ["script.md", "parse/front-matter"],
      ["utf16.md", "parse/not-utf8"],
    ]);
    // With a warm cache, the answer is the same.
    expect((await sop("lint", "--json", ...minimal)).stdout).toBe(ran.stdout);
    const stdin = await sopWith(Uint8Array.of(0xe4), "lint", "-", "--json");
    expect(dataOf(stdin).files).toMatchObject([{ path: "stdin", findings: [{ rule: "parse/not-utf8" }] }]);
  });

  it("reports an unreadable file as an issue, and an unreadable folder as a problem", async () => {
    folder.write({ "secret.md": clean, "a.md": clean, "closed/b.md": clean });
    chmodSync(`${folder.path}/secret.md`, 0);
    chmodSync(`${folder.path}/closed`, 0);
    chmodSync(folder.path, 0o755);
    // Root can read every file.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const ran = await runSop(["lint", "--json"], { cwd: folder.path, ...nobody });
    chmodSync(`${folder.path}/closed`, 0o755);
    expect(ran.code).toBe(3);
    expect(dataOf(ran).files.map(({ path, findings }) => [path, findings[0]?.rule])).toEqual([
      ["a.md", expect.any(String)],
      ["secret.md", "parse/unreadable"],
    ]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ errors: [{ code: "unreadable", path: "closed" }] });
  });

  it("links that lead around in circles end", async () => {
    folder.write({ "a/b/a.md": clean });
    symlinkSync("..", `${folder.path}/a/b/up`);
    symlinkSync("loop.md", `${folder.path}/a/loop.md`);
    mkdirSync(`${folder.path}/a/folder.md`);
    const ran = await sop("lint", "-v", ...minimal);
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toContain("  a/loop.md (symbolic link)");
    expect((await sop("lint", "a/loop.md")).code).toBe(2);
  });

  it.each<[string[], string]>([
    [["a.md", "nope.md"], "nope.md: no Markdown file matches"],
    [["nope/**/*.md"], "nope/**/*.md: no Markdown file matches"],
    [["a.txt"], "a.txt: only Markdown files"],
    [["--rule", "meta/date=off"], "unknown rule meta/date; did you mean meta/dates"],
    [["--rule", "meta/dates"], "meta/dates is one of error, warning, info, off"],
    [["--rule", "meta/dates=loud"], "meta/dates is one of error, warning, info, off"],
    [["--explain", "no-h1"], "unknown rule no-h1; did you mean struct/no-h1"],
    [["--preset", "nope"], "Allowed choices are minimal, recommended, regulated"],
    [["--format", "xml"], "Allowed choices are pretty, compact, json, jsonl, sarif, junit, github, gitlab"],
    [["--config", "nope.yaml"], "file not found"],
    [["--max-warnings", "few"], "It must be a whole number"],
    [["--format", "sarif", "--watch"], "--watch can't print sarif"],
    [["--json", "--format", "sarif"], "--json and --format sarif ask for two formats"],
    [["-", "a.md"], "- reads stdin and can't be used with other paths"],
    [["-", "--changed"], "can't be used with stdin"],
    [["-", "--watch"], "can't be used with stdin"],
    [["--watch", "-o", "x"], "leave out -o"],
    [["--stdin-filename", "x.md"], "--stdin-filename needs - for stdin"],
    [["--update-baseline"], "--update-baseline needs the file"],
    [["--baseline", "none.json"], "add --update-baseline to write one"],
    [["--baseline", "a.md"], "not a baseline of sop lint"],
    [["--changed"], "isn't in a git repository"],
    [["--diff", "--format", "sarif"], "--diff prints differences"],
    [["-o", "a.md/x.json"], "a part of the path is not a folder"],
    [["--baseline", "none.json", "a.md"], "error: --baseline none.json: file not found\n"],
  ])("%j is 2", async (args, says) => {
    folder.write({ "a.md": clean, "a.txt": "x" });
    const ran = await sop("lint", ...args);
    expect(ran).toMatchObject({
      code: 2,
      stdout: args.includes("--json") ? expect.stringContaining('"ok": false') : "",
    });
    expect(ran.stderr).toContain(says);
  });

  it("some named files that are no documents make it 3, and the others are checked", async () => {
    folder.write({ "a.md": broken, "a.txt": "x" });
    const ran = await sop("lint", "a.md", "a.txt", "--format", "compact", ...minimal);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain("a.md:7:1");
    expect(ran.stderr).toContain("a.txt: only Markdown files");
  });
});
