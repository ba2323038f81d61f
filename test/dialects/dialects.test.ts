/** Markup of MkDocs, MyST, Docusaurus, Hugo and others through import, export, `fmt` and `lint --fix`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { constructSentence, convertDialectsInText } from "#core/dialects/convert.ts";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { fileTextOf, splitFrontMatter } from "#core/markdown/front-matter.ts";
import { callSop, makeFolder, type Folder } from "../cli/run-sop.ts";
import { codeBlocksOf, expectedOf, measure, nameOfConstruct, readSuite, suites, without, wordsOf } from "./suites.ts";

const bodyOf = (text: string) => splitFrontMatter(text).body;

describe.each(suites)("%s", (suite) => {
  const { text, constructs, document, unnamed } = measure(suite);

  it("has at least 40 constructs, each mapped, kept or reported as written down", () => {
    expect(constructs.length).toBeGreaterThanOrEqual(40);
    expect(constructs.map((one) => `${one.line} ${one.outcome} ${nameOfConstruct(one)}`)).toEqual(expectedOf(suite));
  });

  it("is reported construct by construct, with the line", () => {
    const lines = text.split("\n");
    for (const construct of constructs) {
      const { line, dialect, what } = construct;
      const name = nameOfConstruct(construct);
      // HTML that views show changes nothing
      const isShown = dialect === "html" && what.text === "is kept as written";
      const isReported = document.report.some((row) => row.line === line && row.message.startsWith(name));
      expect([line, name, isReported]).toEqual([line, name, !isShown]);
      const start = /[\w@*$+:=!?{<%-]{2,}/.exec(name)?.[0] ?? name;
      if (!/^(?:% comment|definition|a table|:::|\{[{%]|\{\/\*)/.test(name))
        expect(lines[line - 1], name).toContain(start);
    }
  });

  it("loses no word on import that the report doesn't name, and no block of code", () => {
    expect(unnamed).toEqual([]);
    for (const code of codeBlocksOf(bodyOf(text))) {
      const plain = (some: string) => some.replace(/^[ \t>]+/gm, "");
      expect(plain(document.body)).toContain(plain(code));
    }
  });

  it("keeps verbatim what it doesn't map", () => {
    const plain = (some: string) => some.replace(/\n[ \t>]*/g, "\n");
    for (const { outcome, source } of constructs) {
      if (outcome !== "mapped") expect(plain(document.body)).toContain(plain(source));
    }
  });

  it("exports what it imported, and imports that without a change", () => {
    const again = readMarkdownDocument({ path: `${suite}.md`, text: fileTextOf(document.frontMatter, document.body) });
    expect(again.body).toBe(document.body);
    expect(again.report.filter(({ code }) => code === "count")).toEqual([]);
  });
});

describe("a second import changes nothing", () => {
  const read = (text: string) => readMarkdownDocument({ path: "a.md", text });
  it.each([
    ["a term below code", "```sh\nls\n```\nwhere\n: in the folder\n"],
    ["a term below a target", "## Fields\n\n(setting:a)=\noutput\n: remove it\n\n{ref}`setting:a`\n"],
    ["a term below a heading", "## Fields\noutput\n: remove it\n"],
    [
      "a fence in a list in a fence",
      "````{list-table}\n* - MyST\n* - ````md\n    {a}`b`\n    ````\n  - x\n````\n\n:::{note}\nText\n:::\n\n```{code-block} sh\nls\n```\n",
    ],
  ])("%s", (_, text) => {
    const { frontMatter, body } = read(text);
    expect(convertDialectsInText(body).text).toBe(body);
    expect(read(fileTextOf(frontMatter, body)).body).toBe(body);
  });

  it("code in a definition is whole, and a term below it begins another list", () => {
    const text = "{a}`b`\n\nterm\n: See:\n  ```py\n  a = 1\n\n  b = 2\n  ```\nother\n: ```sh\n  ls\n  ```\n\n  more\n";
    const list =
      "- term\n  - See:\n    ```py\n    a = 1\n\n    b = 2\n    ```\n\n- other\n  - ```sh\n    ls\n    ```\n\n    more\n";
    expect(convertDialectsInText(text).text).toBe(`{a}\`b\`\n\n${list}`);
  });

  it("a fence is closed by one at its own indent only", () => {
    const text = "````\n    ````\n:::note\ncode\n:::\n````\n\n:::note\ntext\n:::\n";
    expect(convertDialectsInText(text).text).toBe(text.replace(":::note\ntext\n:::", "> [!NOTE]\n> text"));
  });
});

it("names words of a long tag that an alert has no place for", () => {
  const [tag] = convertDialectsInText(
    '{% alert "The pump is hot after it has run for an hour" "error" "slim" "no-icon" %}\nWait.\n{% endalert %}\n',
  ).constructs;
  expect(tag && constructSentence(tag).text).toBe(
    '{% alert "error" %} became an alert (CAUTION), without slim, no-icon',
  );
});

describe("hostile texts are read to their end", () => {
  const many = (piece: string) => piece.repeat(Math.ceil(200_000 / piece.length));
  it.each([
    ...["{{< a", "{{", "{%", "<%", "<a ", "<!-- ", "{++", "$a_", "[a", ":a[", "%%", "==a", "{a}`", "``` `", "++a"].map(
      many,
    ),
    ...[":::a\n", "{{< a >}}\n", "<Abc>\n", "<aside>\n", '=== "a"\n', "!!! note\n", "```{a}\n", "$$\n", "(a)=\n"].map(
      many,
    ),
    ...["{{< b >}}\n{{< /b >}}\n", ":::note\nx\n:::\n", "/// note\n///\n", "<Abc>\n</Abc>\n", "\\(a_b"].map(many),
    ":::".padEnd(2_000, ":") + many("a ") + many(" "),
    Array.from({ length: 2_000 }, (_, index) => `${":".repeat(2_003 - index)}note\n`).join(""),
    Array.from({ length: 300 }, (_, index) => `${" ".repeat(index * 4)}!!! note\n`).join(""),
    Array.from({ length: 20_000 }, (_, index) => `{{ a${index} *b* }}`).join(" "),
  ])("%#", (text) => {
    expect(convertDialectsInText(text).text.length).toBeGreaterThan(0);
  });
});

describe("fmt and lint --fix", () => {
  let folder: Folder;
  /** Every suite, and each of its parts alone. */
  const files: Record<string, string> = {};
  for (const suite of suites) {
    const text = readSuite(suite);
    files[`${suite}.md`] = text;
    const parts = bodyOf(text).split(/\n(?=\n)/);
    parts.forEach((part, index) => (files[`${suite}-${index}.md`] = `${part.trim()}\n`));
  }
  beforeAll(() => {
    folder = makeFolder({ "sop.config.yaml": "preset: recommended\n", ...files });
  });
  afterAll(() => folder.remove());
  const read = (name: string) => readFileSync(join(folder.path, name), "utf8");

  it.each([["fmt"], ["lint", "--fix"]])(
    "%s %s leaves words and constructs the same, or the file alone",
    async (...args) => {
      folder.write(files);
      const ran = await callSop([...args, "."], { cwd: folder.path });
      const changed = Object.keys(files).filter((name) => read(name) !== files[name]);
      expect(changed.length).toBeGreaterThan(0);
      for (const name of changed) {
        const [before = "", after] = [files[name], read(name)];
        const kept = without(wordsOf(bodyOf(before)), wordsOf(after));
        expect(kept, name).toEqual([]);
        const sources = (text: string) =>
          convertDialectsInText(bodyOf(text)).constructs.map(({ source }) => source.replace(/^[ \t>]+/gm, ""));
        expect(sources(after), name).toEqual(sources(before));
        expect(without(codeBlocksOf(before), codeBlocksOf(after)), name).toEqual([]);
      }
      if (args[0] === "fmt") {
        for (const suite of ["mkdocs", "containers", "shortcodes"])
          expect(ran.stderr).toMatch(`error: ${suite}.md: left as it is`);
      }
    },
  );

  it("formats the rest of a file whose tags it leaves as they are", async () => {
    folder.write({ "a.md": 'Use {{ name }} and {{< ref "a_b" >}}.\n\n* one\n* two\n\n{% include "x_y.html" %}\n' });
    expect((await callSop(["fmt", "a.md"], { cwd: folder.path })).code).toBe(0);
    expect(read("a.md")).toBe('Use {{ name }} and {{< ref "a_b" >}}.\n\n- one\n- two\n\n{% include "x_y.html" %}\n');
  });

  it("names the construct that formatting would change, and its line", async () => {
    const text = "---\ntitle: T\n---\n\n* a\n\n:::warning\n* b\n:::\n";
    folder.write({ "a.md": text });
    const ran = await callSop(["fmt", "a.md"], { cwd: folder.path });
    expect(ran.stderr).toContain("a.md: left as it is, it is written for another tool (:::warning, line 7)");
    expect(ran.code).toBe(3);
    expect(read("a.md")).toBe(text);
  });
});
