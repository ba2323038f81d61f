import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import Ajv from "ajv/dist/2020.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { callSop, makeFolder, type Folder } from "./run-sop.ts";

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

const sop = (...args: string[]) => callSop(args, { cwd: folder.path });
const head = '---\ntitle: "Reset"\ndescription: "How to reset."\nowner: "grace"\n---\n\n';
const clean = `${head}## Procedure\n\n1. Press the button.\n`;
const skipping = `${head}## Procedure\n\n#### Deep\n\n1. Press the button.\n`;
const increment = (severity: string) => `rules:\n  struct/heading-increment: ${severity}\n`;

describe("sop.config", () => {
  it("the nearest one wins key by key, flags win over all", async () => {
    folder.write({
      "sop.config.yaml": `schema: 1\npreset: minimal\n${increment("error")}`,
      "a.md": skipping,
      "sub/sop.config.json": '\uFEFF{\n\t"rules": {"struct/heading-increment": "off"}\n}\n',
      "sub/b.md": skipping,
      "other.yaml": `preset: minimal\n${increment("info")}`,
    });
    expect((await sop("lint", "a.md")).code).toBe(1);
    expect((await sop("lint", "sub")).stdout).toBe("");
    expect((await sop("lint", "a.md", "--rule", "struct/heading-increment=info")).code).toBe(0);
    expect((await sop("lint", "a.md", "sub", "--config", "other.yaml")).stderr).toBe(
      "0 errors, 0 warnings, 2 info in 2 files; --fix repairs 2\n",
    );
    expect((await sop("lint", "sub", "--preset", "recommended")).stdout).toContain("struct/sections");
  });

  it("is not looked for above the repository", async () => {
    folder.write({ "sop.config.yaml": "preset: minimal\n", "repository/a.md": clean });
    mkdirSync(join(folder.path, "repository/.git"));
    expect((await sop("-C", "repository", "lint")).stdout).toContain("struct/sections");
  });

  it("extends one file and differs for some files, the last override first", async () => {
    folder.write({
      "shared/base.yaml": `preset: minimal\n${increment("error")}terms:\n  utilise: use\nlimits:\n  stepWords: 30\n`,
      "sop.config.yaml": `extends: shared/base.yaml\nlimits: {grade: 9}\noverrides:\n  - files: ["drafts/**", "!drafts/late.md"]\n    ${increment("off").replace("\n  ", "\n      ")}  - files: [b.md]\n    ${increment("info").replace("\n  ", "\n      ")}`,
      "a.md": skipping,
      "drafts/a.md": skipping,
      "drafts/late.md": skipping,
      "drafts/b.md": skipping,
    });
    const ran = await sop("lint", "--format", "compact");
    expect(ran.stdout.split("\n").map((line) => line.split(": ").slice(0, 2).join(" "))).toEqual([
      "a.md:9:1 error",
      "drafts/b.md:9:1 info",
      "drafts/late.md:9:1 error",
      "",
    ]);
    const printed = JSON.parse((await sop("config", "print", "--for", "drafts/b.md", "--json")).stdout) as {
      data: { files: string[]; rows: { key: string; value: unknown; origin: string }[] };
    };
    expect(printed.data.files).toEqual(["shared/base.yaml", "sop.config.yaml"]);
    const row = (key: string) => printed.data.rows.find((one) => one.key === key);
    expect(row("preset")).toEqual({ key: "preset", value: "minimal", origin: "shared/base.yaml:1:1" });
    expect(row("rules.struct/heading-increment")).toMatchObject({ value: "info", origin: "sop.config.yaml:9:7" });
    expect(row("limits.stepWords")).toMatchObject({ value: 30, origin: "shared/base.yaml:7:3" });
    expect(row("limits.grade")).toMatchObject({ value: 9, origin: "sop.config.yaml:2:10" });
    expect(row("limits.listDepth")).toMatchObject({ value: 3, origin: "default" });
    expect(row("terms.utilise")).toMatchObject({ value: "use" });
    expect(row("rules.meta/dates")).toMatchObject({ value: "error", origin: "preset minimal" });
  });

  it.each([
    ["rules:\n  a/b: error\n", ":2:3: unknown rule a/b"],
    ["rules:\n  meta/date: error\n", ":2:3: unknown rule meta/date; did you mean meta/dates?"],
    ["rules:\n  meta/dates: loud\n", ":2:3: meta/dates is one of error, warning, info, off"],
    ["rules: off\n", ":1:1: rules must be a list of `name: value` lines"],
    ["schema: 1\npresets: minimal\n", ":2:1: unknown key presets; did you mean preset?"],
    ["ruels:\n  a/b: error\n", ":1:1: unknown key ruels; did you mean rules?"],
    ["preset: tiny\n", ":1:1: preset is one of minimal, recommended, regulated"],
    ["schema: 7\n", ":1:1: schema is one of 1"],
    ["limits:\n  stepwords: 3\n", ":2:3: unknown key stepwords; did you mean stepWords?"],
    ["limits: {grade: none}\n", ":1:10: grade must be a whole number of at least 1"],
    ["overrides:\n  - files: a.md\n", ":2:5: files must be a list"],
    ["overrides:\n  - file: [a.md]\n", ":2:5: unknown key file; did you mean files?"],
    ['idPattern: "(a+)+b"\n', ":1:1: idPattern is too complicated"],
    ['overrides:\n  - files: [a]\n    idPattern: "("\n', ":3:5: idPattern is not a regular expression"],
    ["acronyms: GMP\n", ":1:1: acronyms must be a list"],
    ["- a\n", ":1:1: not a list of `key: value` lines"],
    ["a: [\n", ":"],
    ["preset: minimal\npreset: regulated\n", ":2:1: Map keys must be unique"],
    ["a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a]\nc: [*b, *b, *b, *b]\n", ":1:1: it repeats itself too often"],
    ["extends: none.yaml\n", ":1:1: extends none.yaml: file not found"],
    ["extends: notes.md\n", ":1:1: extends notes.md: only .yaml and .json files are read"],
    ["extends: two.yaml\n", ":1:1: extends two.yaml: it extends another file, but only one level is allowed"],
  ])("%j is 2, for lint and for check", async (config, says) => {
    folder.write({ "sop.config.yaml": config, "a.md": clean, "two.yaml": "extends: x.yaml\n" });
    const file = join(folder.path, "sop.config.yaml");
    for (const args of [["lint"], ["lint", "--list-rules"], ["config", "check"], ["config", "print"]]) {
      const ran = await sop(...args);
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      expect(ran.stderr).toContain(`error: ${file}${says}`);
    }
  });

  it("a file that is extended and is no config is refused by its line, without a word of what it holds", async () => {
    const secrets: [name: string, text: string, line: number][] = [
      ["keys.yaml", "aws_secret: hunter2\n", 1],
      ["values.yaml", "preset: hunter2\n", 1],
      ["rules.yaml", "preset: minimal\nrules:\n  hunter2: error\n", 3],
      ["pattern.yaml", "idPattern: '(hunter2'\n", 1],
      ["broken.yaml", "a: [hunter2\n", 2],
      ["tag.yaml", "a: !hunter2 x\nb: *hunter2\n", 1],
      ["text.yaml", "hunter2\n", 1],
      ["data.json", '{"hunter2": {"hunter2": "hunter2"}}', 1],
    ];
    const outside = makeFolder(Object.fromEntries(secrets.map(([name, text]) => [name, text])));
    for (const [name, , line] of secrets) {
      const base = join(outside.path, name);
      folder.write({ "sop.config.yaml": `extends: ${base}\n`, "a.md": clean });
      for (const args of [["lint"], ["lint", "--json"], ["config", "check"], ["config", "print"], ["doctor"]]) {
        const ran = await sop(...args);
        const said = ran.stdout + ran.stderr;
        expect([name, args, said.includes("hunter2")]).toEqual([name, args, false]);
        if (args[0] === "config")
          expect([name, said]).toEqual([
            name,
            expect.stringMatching(new RegExp(`line ${line} isn't valid in a sop config`)),
          ]);
      }
    }
    outside.remove();
  });

  it("so is a config that is a symbolic link; one that leads to a config holds", async () => {
    const outside = makeFolder({ "secret.yaml": "hunter2: 1\n", "config.yaml": increment("error") });
    folder.write({ "linked/a.md": skipping, "good/a.md": skipping });
    symlinkSync(join(outside.path, "secret.yaml"), join(folder.path, "linked/sop.config.yaml"));
    symlinkSync(join(outside.path, "config.yaml"), join(folder.path, "good/sop.config.yaml"));
    const refused = await sop("lint", "linked");
    expect(refused.stdout + refused.stderr).not.toContain("hunter2");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("line 1 isn't valid in a sop config")]);
    expect((await sop("lint", "good")).code).toBe(1);
    outside.remove();
  });

  it("check tells everything that is wrong, the others the first and that there is more", async () => {
    folder.write({
      "a.md": clean,
      "sop.config.yaml": "preset: tiny\nlang: 3\n",
      "sub/sop.config.yaml": "terms: []\n",
      ".hidden/sop.config.yaml": "x: 1\n",
    });
    const ran = await sop("config", "check", "--json");
    expect(ran.code).toBe(2);
    const { errors } = JSON.parse(ran.stdout) as { errors: { line: number }[] };
    expect(errors).toMatchObject([
      { code: "config", line: 1 },
      { code: "config", line: 2 },
      { code: "config", line: 1, path: join(folder.path, "sub/sop.config.yaml") },
    ]);
    expect((await sop("lint")).stderr).toContain("  and 1 more: sop config check\n");
  });

  it("two configs in one folder, or none to check, are 2", async () => {
    expect((await sop("config", "check")).stderr).toContain("no sop.config.yaml here or below");
    folder.write({ "a.md": clean, "sop.config.yaml": "{}\n", "sop.config.json": "{}\n" });
    expect((await sop("lint")).stderr).toContain("sop.config.yaml and sop.config.json are both here: delete one");
    expect((await sop("config", "print", "--config", "none.yaml")).code).toBe(2);
  });

  it("an empty config says nothing", async () => {
    folder.write({ "sop.config.yaml": "# nothing yet\n", "a.md": clean });
    expect(await sop("config", "check")).toEqual({
      code: 0,
      stdout: "sop.config.yaml\n",
      stderr: "1 config file, 0 wrong\n",
    });
  });
});

describe("the JSON Schema", () => {
  const published = resolve(import.meta.dirname, "../../docs/sop.config.schema.json");

  it("is published as it is, and agrees with the program", async () => {
    const { stdout } = await sop("config", "schema");
    // Out of date? `sop config schema > docs/sop.config.schema.json`, then format it.
    expect(JSON.parse(readFileSync(published, "utf8"))).toEqual(JSON.parse(stdout));
    const validate = new Ajv({ strict: false }).compile(JSON.parse(stdout) as object);
    const good =
      "preset: regulated\nrules: {meta/dates: off}\nlimits: {grade: 9}\noverrides: [{files: [a], lang: de}]\n";
    expect(validate(parse(good))).toBe(true);
    for (const bad of [
      "preset: tiny",
      "rules: {a/b: off}",
      "limits: {stepwords: 3}",
      "overrides: [{rules: {}}]",
      "x: 1",
    ]) {
      expect(validate(parse(bad)), bad).toBe(false);
    }
  });
});
