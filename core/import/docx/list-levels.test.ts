// Marks, numbers and levels of lists, as Word shows them.
import { describe, expect, test } from "vitest";
import { createReport } from "#core/import/markdown/report.ts";
import { docx, item, p, part, run, style } from "../../../test/word-file.ts";
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

describe("marks of lists", () => {
  const lvl = (at: number, format: string, text: string, more = "") =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
  const list = (levels: string, more = "", others = "") => ({
    "word/numbering.xml": part(
      "numbering",
      `<w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum>${others}<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/>${more}</w:num>`,
    ),
  });
  const legal = lvl(0, "decimal", "%1.") + lvl(1, "decimal", "%1.%2") + lvl(2, "decimal", "%1.%2.%3");

  test.each([
    ["of legal numbers", legal, '"1.1", "1.1.1"'],
    [
      "with words",
      lvl(0, "decimal", "Step %1:") + lvl(1, "upperRoman", "Part %2") + lvl(2, "decimal", "%3"),
      '"Step 1:", "Part I"',
    ],
    ["with zeros", lvl(0, "decimalZero", "%1") + lvl(1, "decimal", "%2") + lvl(2, "decimal", "%3."), '"01"'],
    [
      "of legal numbers below letters",
      lvl(0, "upperLetter", "%1") + lvl(1, "decimal", "%1.%2", "<w:isLgl/>") + lvl(2, "lowerRoman", "%1%3"),
      '"1.1", "Ai"',
    ],
  ])("%s are named where only a number stays", async (_, levels, marks) => {
    const { body, notes } = await read(item("a") + item("b", 1, 1) + item("c", 1, 2), list(levels));
    expect(body).toBe("1. a\n   1. b\n      1. c\n");
    expect(notes).toContainEqual(expect.stringMatching(/^marks of \d steps? became numbers/));
    expect(notes.join("\n")).toContain(marks);
  });

  test("without a number are words before a paragraph", async () => {
    const words = list(lvl(0, "none", "Note:") + lvl(1, "decimal", ""));
    expect(await read(item("Hot") + item("Wet", 1, 1), words)).toEqual({ body: "Note: Hot\n\nWet\n", notes: [] });
  });

  test("are those of the list where it differs from its definition", async () => {
    const own = `<w:lvlOverride w:ilvl="0">${lvl(0, "bullet", "•")}</w:lvlOverride>`;
    expect(await read(item("a") + item("b") + item("c", 2), list(lvl(0, "decimal", "%1."), own))).toEqual({
      body: "1. a\n2. b\n\n- c\n",
      notes: [],
    });
  });

  test("are those of the list style", async () => {
    const style = `<w:abstractNum w:abstractNumId="5"><w:styleLink w:val="Steps"/>${lvl(0, "decimal", "%1.")}</w:abstractNum>`;
    const body = item("a") + p("then") + item("b");
    expect(await read(body, list('<w:numStyleLink w:val="Steps"/>', "", style))).toEqual({
      body: "1. a\n\nthen\n\n2. b\n",
      notes: [],
    });
  });

  test("come before words that a deleted end of a paragraph joins to the item", async () => {
    const gone = p("two", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:del w:id="1"/></w:rPr>');
    expect(await read(item("one") + gone + item(run(" and three")))).toEqual({
      body: "1. one\n2. two and three\n",
      notes: ["1 tracked change accepted"],
    });
  });
});

describe("references to nothing", () => {
  const mark = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;

  test.each([
    ["a footnote", mark("footnote", 9), "1 footnote mark left out: word/footnotes.xml is missing or lacks the note"],
    ["an endnote", mark("endnote", 2), "1 endnote mark left out: word/endnotes.xml is missing or lacks the note"],
    ["a link", `<w:hyperlink r:id="zz">${run("here")}</w:hyperlink>`, "1 link became text: the file lacks the address"],
  ])("are named and leave the words: %s", async (_, reference, note) => {
    const { body, notes } = await read(p(run("Stop ") + reference) + p("end"));
    expect(body).toMatch(/^Stop(?: here)?\n\nend\n$/);
    expect(notes).toEqual([note]);
  });
});

describe("lists that go on", () => {
  const levels = (count: number) =>
    Array.from(
      { length: count },
      (_, at) =>
        `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%${at + 1}."/></w:lvl>`,
    ).join("");
  const list = (count: number, own = levels(count)) => ({
    "word/numbering.xml": part(
      "numbering",
      `<w:abstractNum w:abstractNumId="0">${own}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
    ),
  });
  const indented = (text: string, left: number) => p(text, `<w:ind w:left="${left}"/>`);

  test("below an indented paragraph stay at their level", async () => {
    const body =
      item("a") +
      item("b", 1, 1) +
      indented("of b", 1440) +
      item("c", 1, 1) +
      indented("of c", 1440) +
      item("d") +
      p("end");
    expect(await read(body, list(2))).toEqual({
      body: "1. a\n\n   1. b\n\n      of b\n\n   2. c\n\n   of c\n\n2. d\n\nend\n",
      notes: [],
    });
  });

  test("below a paragraph in an indented style keep it in their step", async () => {
    const styles = {
      "word/styles.xml": part("styles", style("More", "List Continue", '<w:pPr><w:ind w:left="360"/></w:pPr>')),
    };
    const { body } = await read(item("a") + p("of a", '<w:pStyle w:val="More"/>') + item("b"), {
      ...list(1),
      ...styles,
    });
    expect(body).toBe("1. a\n\n   of a\n\n2. b\n");
  });

  test("have nine levels", async () => {
    const body = Array.from({ length: 9 }, (_, at) => item(`L${at}`, 1, at)).join("");
    const read9 = await read(body, list(9));
    expect(read9.notes).toEqual([]);
    expect(read9.body).toContain(`${" ".repeat(24)}1. L8`);
  });

  test("with a box as their sign are tasks, without a note", async () => {
    const sign =
      '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="\uF0A8"/><w:rPr><w:rFonts w:ascii="Wingdings"/></w:rPr></w:lvl>';
    expect(await read(item("a"), list(1, sign))).toEqual({ body: "- [ ] a\n", notes: [] });
  });
});
