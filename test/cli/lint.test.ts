import { symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

const sop = (args: string[], input: string | Uint8Array = "") => runSop(args, { cwd: folder.path, input });

const head = '---\ntitle: "Reset"\ndescription: "How to reset."\nowner: "grace"\n---\n\n';
const clean = `${head}## Procedure\n\n1. Press the button.\n`;
const broken = `${head}# Reset\n\n1. Press TODO.\n`;
const skipping = `${head}## Procedure\n\n#### Deep\n\n1. Press the button.\n`;

describe("sop lint", () => {
  it("says nothing on stdout about clean files", async () => {
    folder.write({ "a.md": clean, "b/c.md": clean });
    expect(await sop(["lint"])).toEqual({ code: 0, stdout: "", stderr: "0 errors, 0 warnings in 2 files\n" });
    expect(await sop(["lint", "-q", "b"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("prints findings with file, line and column, and exits 1", async () => {
    folder.write({ "a.md": broken, "b.md": clean });
    const ran = await sop(["lint"]);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(
      /^a\.md\n {4}7:1 {2}error {4}struct\/no-h1 +\S.*\n {3}9:10 {2}error {4}text\/placeholder +\S.*\n\n$/,
    );
    expect(ran.stderr).toBe("2 errors, 0 warnings in 2 files\n");
  });

  it("prints one JSON document", async () => {
    folder.write({ "a.md": broken });
    const [byFormat, byFlag] = [await sop(["lint", "--format", "json"]), await sop(["lint", "--json"])];
    expect(byFormat.code).toBe(1);
    expect(byFormat.stdout).toBe(byFlag.stdout);
    expect(JSON.parse(byFlag.stdout)).toMatchObject({
      schema: "sop.lint/1",
      ok: false,
      data: {
        totals: { files: 1, error: 2, warning: 0, info: 0 },
        files: [
          {
            path: "a.md",
            findings: [
              { rule: "struct/no-h1", line: 7 },
              { rule: "text/placeholder", line: 9 },
            ],
          },
        ],
      },
      errors: [],
    });
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
    expect((await sop(["lint", ...flags, "a.md"])).code).toBe(code);
  });

  it("takes preset and severities from the nearest sop.config.yaml; flags win", async () => {
    folder.write({
      "sop.config.yaml": "schema: 1\npreset: minimal\nrules:\n  struct/heading-increment: error\n",
      "a.md": skipping,
      "sub/sop.config.yaml": "rules:\n  struct/heading-increment: off\n",
      "sub/b.md": skipping,
      "other.yaml": "rules: {struct/heading-increment: info}\n",
    });
    expect((await sop(["lint", "a.md"])).code).toBe(1);
    expect((await sop(["lint", "sub"])).stdout).toBe("");
    expect((await sop(["lint", "a.md", "--rule", "struct/heading-increment=info"])).code).toBe(0);
    expect((await sop(["lint", "a.md", "sub", "--config", "other.yaml"])).stderr).toBe(
      "0 errors, 0 warnings, 2 info in 2 files\n",
    );
    expect((await sop(["lint", "-", "--stdin-filename", "sub/x.md"], skipping)).stdout).toBe("");
  });

  it.each([
    ["rules:\n  a/b: error\n", "sop.config.yaml:1: there is no rule a/b"],
    ["rules:\n  meta/dates: loud\n", "sop.config.yaml:1: meta/dates is one of error, warning, info, off"],
    ["schema: 1\npresets: minimal\n", "sop.config.yaml:2: presets is not known here; there are schema, preset, rules"],
    ["schema: 1\npreset: tiny\n", "sop.config.yaml:2: preset is one of minimal"],
    ["schema: 7\n", "sop.config.yaml:1: this program reads schema 1"],
    ["a: [\n", "sop.config.yaml:"],
  ])("a config that is wrong is 2: %j", async (config, says) => {
    folder.write({ "sop.config.yaml": config, "a.md": clean });
    const ran = await sop(["lint"]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(says);
  });

  it("a file that can't be read is a finding, and the others are checked", async () => {
    folder.write({
      "broken.md": "---\ntitle: [\n---\n\nx\n",
      "script.md": "---js\n{}\n---\n\nx\n",
      "latin1.md": Uint8Array.of(0xe4),
      "empty.md": "",
      "huge.md": "x".repeat(300_000),
      "clean.md": clean,
      "clean-crlf.md": `\uFEFF${clean.replaceAll("\n", "\r\n")}`,
    });
    symlinkSync("clean.md", `${folder.path}/link.md`);
    const ran = await sop(["lint", "--json"]);
    expect(ran.code).toBe(1);
    const { data } = JSON.parse(ran.stdout) as { data: { files: { path: string; findings: { rule: string }[] }[] } };
    const parse = data.files.map(({ path, findings }) => [
      path,
      findings.map(({ rule }) => rule).find((rule) => rule.startsWith("parse/")),
    ]);
    // Front matter in another language is text here; what it does not say is missing.
    expect(data.files.at(-1)?.findings[0]?.rule).toBe("meta/required");
    expect(parse).toEqual([
      ["broken.md", "parse/front-matter"],
      ["clean-crlf.md", undefined],
      ["clean.md", undefined],
      ["empty.md", "parse/empty"],
      ["huge.md", "parse/too-large"],
      ["latin1.md", "parse/not-utf8"],
      ["script.md", undefined],
    ]);
  });

  it("a path that matches nothing, or an unknown rule, is 2", async () => {
    folder.write({ "a.md": clean });
    expect(await sop(["lint", "a.md", "nope.md"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "error: nope.md: no Markdown file matches\n",
    });
    expect((await sop(["lint", "--rule", "meta/date=off"])).stderr).toContain(
      "there is no rule meta/date; did you mean meta/dates",
    );
    expect((await sop(["lint", "--rule", "meta/dates"])).code).toBe(2);
    expect((await sop(["lint", "--explain", "nope"])).code).toBe(2);
    expect((await sop(["lint", "--preset", "nope"])).code).toBe(2);
    expect((await sop(["lint", "--config", "nope.yaml"])).code).toBe(2);
  });

  it("lists and explains rules", async () => {
    expect((await sop(["lint", "--list-rules"])).stdout).toMatch(/^meta\/required +error +\S/);
    const { stdout } = await sop(["lint", "--explain", "meta/dates"]);
    expect(stdout).toMatch(/^meta\/dates \(error\)\n[^]+\nFrom: [^]+\n\nGood:\n {4}[^]+\nBad:\n {4}[^]+\n$/);
  });
});
