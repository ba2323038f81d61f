// Word indents a list of one level below the list above. Its number of the level is 0 all the same.
import { describe, expect, test } from "vitest";
import { createReport } from "#core/import/markdown/report.ts";
import { docx, p, part, style } from "../../../test/word-file.ts";
import { readDocx } from "./docx-file.ts";

async function read(body: string, parts: Record<string, string> = {}) {
  const report = createReport("a.docx");
  const { text } = await readDocx("a.docx", docx(body, parts), report);
  return {
    body: text.replace(/^---\n[^]*?\n---\n\n/, ""),
    notes: report.lines.map(({ message }) => message),
  };
}

describe("list styles of one level", () => {
  const numbered = (id: number, format: string, left?: number) =>
    `<w:abstractNum w:abstractNumId="${id}"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${left === undefined ? "" : `<w:pPr><w:ind w:left="${left}" w:hanging="360"/></w:pPr>`}</w:lvl></w:abstractNum>`;
  const num = (id: number) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`;
  const listStyle = (id: string, name: string, numId: number) =>
    style(id, name, `<w:pPr><w:numPr><w:numId w:val="${numId}"/></w:numPr></w:pPr>`);
  const lists = (indents: readonly (number | undefined)[]) => {
    const formats = ["bullet", "bullet", "bullet", "decimal", "decimal"];
    return {
      "word/numbering.xml": part(
        "numbering",
        formats.map((format, at) => numbered(at + 1, format, indents[at])).join("") +
          formats.map((_, at) => num(at + 1)).join(""),
      ),
      "word/styles.xml": part(
        "styles",
        listStyle("LB", "List Bullet", 1) +
          listStyle("LB2", "List Bullet 2", 2) +
          listStyle("LB3", "List Bullet 3", 3) +
          listStyle("LN", "List Number", 4) +
          listStyle("LN2", "List Number 2", 5),
      ),
    };
  };
  const text = (...lines: readonly [id: string, words: string][]) =>
    lines.map(([id, words]) => p(words, id === "" ? "" : `<w:pStyle w:val="${id}"/>`)).join("");

  test.each([
    ["by the indents of their lists", [360, 643, 926, 360, 643]],
    ["by their names where they have no indent", []],
  ])("have the level that readers see %s", async (_, indents) => {
    const body = text(
      ["LB", "a"],
      ["LB2", "b"],
      ["LB3", "c"],
      ["LB2", "d"],
      ["LB", "e"],
      ["", "Then"],
      ["LN", "one"],
      ["LN2", "x"],
      ["LB3", "z"],
      ["LN2", "y"],
      ["LN", "two"],
    );
    expect(await read(body, lists(indents))).toEqual({
      body: "- a\n  - b\n    - c\n  - d\n- e\n\nThen\n\n1. one\n   1. x\n      - z\n   2. y\n2. two\n",
      notes: [],
    });
  });

  test("begin at the first level where no item is above, and in each cell", async () => {
    const cell = (inside: string) => `<w:tc>${inside}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell(text(["LB", "a"]))}${cell(text(["LB2", "b"]))}</w:tr></w:tbl>`;
    expect((await read(text(["LB", "x"], ["", "Wait"], ["LB2", "y"]) + table, lists([360, 643]))).body).toBe(
      "- x\n\nWait\n\n- y\n\n<table><tbody>\n<tr><th><ul><li>a</li></ul></th><th><ul><li>b</li></ul></th></tr>\n</tbody>\n</table>\n",
    );
  });
});
