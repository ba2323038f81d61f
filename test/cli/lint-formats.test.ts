/** Every output format against its published schema, where it has one. */
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import { callSop, makeFolder, type Folder } from "./run-sop.ts";

const schemas = resolve(import.meta.dirname, "../schemas");
const head = '---\ntitle: "Reset"\ndescription: "How to reset."\nowner: "grace"\n---\n\n';
const odd = "it/größe & <b>, 50%: a.md";

let folder: Folder;
beforeAll(() => {
  folder = makeFolder({
    "sop.config.yaml": "preset: minimal\nrules:\n  struct/heading-increment: info\n",
    "a.md": `${head}# Reset\n\n1. Press TODO & <b>go</b>.\n`,
    [odd]: `${head}## Procedure\n\n#### "Deep" \u0007\n\n1. Press TODO.\n`,
    "clean.md": `${head}## Procedure\n\n1. Press the button.\n`,
  });
  // The top of a repository above the workspace: paths of annotations start there.
  mkdirSync(join(folder.path, ".git"));
});
afterAll(() => folder.remove());

const sop = (...args: string[]) => callSop(["lint", ...args], { cwd: folder.path });

describe("sarif", () => {
  it("is valid SARIF 2.1.0 with relative addresses, fingerprints and fixes", async () => {
    const ran = await sop("--format", "sarif");
    expect(ran.code).toBe(1);
    const log: unknown = JSON.parse(ran.stdout);
    const {
      id: _,
      $schema: __,
      ...schema
    } = JSON.parse(readFileSync(join(schemas, "sarif-schema-2.1.0.json"), "utf8")) as Record<string, unknown>;
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats(ajv);
    const validate = ajv.compile(schema);
    validate(log);
    expect(validate.errors).toBeNull();
    // The schema rejects a wrong file.
    expect(validate({ version: "2.1.0", runs: [{ results: "none" }] })).toBe(false);
    const [run] = (
      log as { runs: { results: Record<string, unknown>[]; tool: { driver: { rules: { id: string }[] } } }[] }
    ).runs;
    expect(run?.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ["struct/no-h1", "error"],
      ["text/placeholder", "error"],
      ["struct/heading-increment", "note"],
      ["text/placeholder", "error"],
    ]);
    for (const { ruleId, ruleIndex } of run?.results ?? []) {
      expect(run?.tool.driver.rules[ruleIndex as number]?.id).toBe(ruleId);
    }
    expect(run?.results[0]).toMatchObject({
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "a.md", uriBaseId: "SRCROOT" },
            region: { startLine: 7, startColumn: 1, endLine: 7, endColumn: 8 },
          },
        },
      ],
      fixes: [
        {
          artifactChanges: [
            {
              artifactLocation: { uri: "a.md" },
              replacements: [
                {
                  deletedRegion: { startLine: 7, startColumn: 1, endLine: 9, endColumn: 1 },
                  insertedContent: { text: "" },
                },
              ],
            },
          ],
        },
      ],
    });
    const uris = run?.results
      .map((result) => JSON.stringify(result))
      .filter((text) => text.includes("gr%C3%B6%C3%9Fe"));
    expect(uris).toHaveLength(2);
    expect(ran.stdout).not.toContain(folder.path);
  });

  it("keeps fingerprints when lines move, and tells findings on like lines apart", async () => {
    const prints = async () => {
      const { runs } = JSON.parse((await sop("--format", "sarif", "moved.md")).stdout) as {
        runs: { results: { partialFingerprints: Record<string, string> }[] }[];
      };
      return runs[0]?.results.map(({ partialFingerprints }) => partialFingerprints["sopwright/v1"]);
    };
    folder.write({ "moved.md": `${head}## A\n\nTODO\n\nTODO\n` });
    const before = await prints();
    expect(new Set(before).size).toBe(2);
    folder.write({ "moved.md": `${head}## A\n\nNew.\n\nTODO\n\nTODO\n` });
    expect(await prints()).toEqual(before);
    folder.write({ "moved.md": `${head}## A\n\nNew.\n` });
  });
});

it("writes JUnit that is valid against its schema, with any names", async () => {
  const ran = await sop("--format", "junit");
  const schema = [{ fileName: "junit.xsd", contents: readFileSync(join(schemas, "junit.xsd"), "utf8") }];
  const check = (contents: string) => validateXML({ xml: [{ fileName: "report.xml", contents }], schema });
  expect(await check(ran.stdout)).toMatchObject({ valid: true, errors: [] });
  expect((await check(ran.stdout.replace('tests="', 'test="'))).valid).toBe(false);
  expect(ran.stdout.match(/<failure /g)).toHaveLength(3);
  expect(ran.stdout).toContain('<testcase name="lint" classname="clean.md" time="0"/>');
});

it("github annotates the lines of a file as the repository knows it", async () => {
  const ran = await callSop(["-C", "it", "lint", "--format", "github"], { cwd: folder.path });
  const lines = ran.stdout.trimEnd().split("\n");
  const file = "it/größe & <b>%2C 50%25%3A a.md";
  expect(lines[0]).toMatch(
    new RegExp(`^::notice file=${file},line=9,endLine=9,col=1,endColumn=\\d+,title=struct/heading-increment::This`),
  );
  expect(lines[1]).toMatch(
    new RegExp(`^::error file=${file},line=11,endLine=11,col=10,endColumn=14,title=text/placeholder::Replace`),
  );
});

it("gitlab reports issues with fingerprints of their own", async () => {
  const issues = JSON.parse((await sop("--format", "gitlab")).stdout) as Record<string, unknown>[];
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(4);
  expect(issues[1]).toEqual({
    description: "Replace the placeholder TODO",
    check_name: "text/placeholder",
    fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
    severity: "major",
    location: { path: "a.md", lines: { begin: 9, end: 9 } },
  });
  expect(JSON.parse((await sop("--format", "gitlab", "clean.md")).stdout)).toEqual([]);
});

it("compact and jsonl have a finding a line", async () => {
  const compact = (await sop("--format", "compact")).stdout.trimEnd().split("\n");
  expect(compact[1]).toBe("a.md:9:10: error: Replace the placeholder TODO [text/placeholder]");
  const lines = (await sop("--format", "jsonl")).stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(compact.length);
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ path: "a.md", rule: "text/placeholder", line: 9, column: 10 });
});

it("json is the envelope, by either flag, and -o writes any format into a file", async () => {
  const [byFormat, byFlag] = [await sop("--format", "json"), await sop("--json")];
  expect(byFormat.stdout).toBe(byFlag.stdout);
  expect(JSON.parse(byFlag.stdout)).toMatchObject({
    schema: "sop.lint/1",
    ok: false,
    data: { totals: { files: 4, error: 3, warning: 0, info: 1 }, files: [{ path: "a.md" }, {}, {}, {}] },
    errors: [],
  });
  const written = await sop("--format", "json", "-o", "out/report.json");
  expect(written).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "3 errors, 0 warnings, 1 info in 4 files; --fix repairs 2\n",
  });
  expect(readFileSync(join(folder.path, "out/report.json"), "utf8")).toBe(byFormat.stdout);
});
