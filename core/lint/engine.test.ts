import { describe, expect, it } from "vitest";
import { lintText } from "./engine.ts";

const head = '---\ntitle: "T"\ndescription: "D"\nowner: "ann"\n---\n\n';
const options = { path: "a.md", preset: "minimal" } as const;

describe("lint", () => {
  it("says nothing about a sound file", () => {
    expect(lintText(`${head}## Procedure\n\n1. Open the valve.\n2. Close it.\n`, options)).toEqual([]);
  });

  it("reports in the order of the text, with the whole place", () => {
    expect(lintText(`${head}## A\n\nTODO ![](x.png)\n`, options)).toEqual([
      {
        rule: "text/placeholder",
        severity: "error",
        message: "Replace the placeholder TODO",
        reason: { id: "core.lint.text/placeholder.replace", values: { blank: "TODO" } },
        line: 9,
        column: 1,
        endLine: 9,
        endColumn: 5,
      },
      {
        rule: "ref/image-alt",
        severity: "error",
        message: "Describe the picture: ![what it shows](…)",
        reason: { id: "core.lint.ref/image-alt.noAlt", values: {} },
        line: 9,
        column: 6,
        endLine: 9,
        endColumn: 16,
      },
    ]);
  });

  it("lets a caller change severities and turn rules off", () => {
    const text = `${head}## A\n\nTODO\n`;
    expect(lintText(text, { ...options, rules: { "text/placeholder": "off" } })).toEqual([]);
    expect(lintText(text, { ...options, rules: { "text/placeholder": "info" } })[0]?.severity).toBe("info");
  });

  it.each([
    ["---\ntitle: [\n---\n\nText\n", "parse/front-matter", 2],
    ["---js\nrun()\n---\n\nText\n", "parse/front-matter", 1],
    [`${"a".repeat(1_100_000)}`, "parse/text", 1],
    [`ok\n\n${">".repeat(5_000)}`, "parse/text", 3],
  ])("gives one parse finding for %.20j", (text, rule, line) => {
    expect(lintText(text, options)).toMatchObject([{ rule, line, severity: "error" }]);
  });

  it("copes with an empty file, CRLF and a byte order mark", () => {
    expect(lintText("", options).map(({ rule }) => rule)).toEqual(["meta/required"]);
    expect(lintText(`\uFEFF${head.replaceAll("\n", "\r\n")}Text\r\n`, options)).toEqual([]);
  });
});

describe("suppressions", () => {
  const comment = (words: string): string =>
    `${head}## A\n\n<!-- sop-disable-next-line ${words} -->\n\nTODO ![](x.png)\n`;

  it("drop the named rules on the next line with text", () => {
    expect(lintText(comment("text/placeholder -- quoted"), options).map(({ rule }) => rule)).toEqual(["ref/image-alt"]);
    expect(lintText(comment("text/placeholder, ref/image-alt"), options)).toEqual([]);
  });

  it("are findings themselves when they suppress nothing", () => {
    expect(lintText(comment("text/secret ref/image-alt text/placeholder"), options)).toMatchObject([
      { rule: "suppress/unused", severity: "warning", line: 9, message: "Nothing to suppress: text/secret. Remove it" },
    ]);
  });
});
