// What Word shows and what its file says are not the same: hidden text, values of fields, cells of a grid.
import { describe, expect, test } from "vitest";
import { createReport } from "#core/import/markdown/report.ts";
import { docx, item, level, p, part, rel, rels, run, style } from "../../../test/word-file.ts";
import { readDocx } from "./docx-file.ts";

async function read(body: string, parts: Record<string, string> = {}) {
  const report = createReport("a.docx");
  const { text } = await readDocx("a.docx", docx(body, parts), report);
  return {
    body: text.replace(/^---\n[^]*?\n---\n\n/, ""),
    notes: report.lines.map(({ message }) => message),
  };
}
const bodyOf = async (body: string, parts: Record<string, string> = {}) => (await read(body, parts)).body;

const char = (type: string, inside = "") => `<w:r><w:fldChar w:fldCharType="${type}">${inside}</w:fldChar></w:r>`;
const code = (text: string) => `<w:r><w:instrText xml:space="preserve"> ${text} </w:instrText></w:r>`;
const field = (instruction: string, result = "", data = "") =>
  char("begin", data && `<w:ffData>${data}</w:ffData>`) +
  code(instruction) +
  (result && char("separate") + result) +
  char("end");
const legacyBox = (state: string) => field("FORMCHECKBOX", "", `<w:checkBox>${state}</w:checkBox>`);
const control = (properties: string, content: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const box = (checked: string, sign: string) => control(`<w14:checkbox>${checked}</w14:checkbox>`, `<w:r>${sign}</w:r>`);

describe("check boxes", () => {
  test("of every kind keep their state beside their words", async () => {
    const lines = [
      legacyBox('<w:default w:val="0"/>') + run(" one"),
      legacyBox('<w:default w:val="0"/><w:checked/>') + run(" two"),
      legacyBox('<w:default w:val="1"/><w:checked w:val="0"/>') + run(" three"),
      box('<w14:checked w14:val="1"/>', "<w:t>☒</w:t>") + run(" four"),
      box('<w14:checked w14:val="0"/>', '<w:sym w:font="MS Gothic" w:char="2610"/>') + run(" five"),
      box('<w14:checked w14:val="true"/>', '<w:sym w:font="Wingdings" w:char="F0FE"/>') + run(" six"),
      `<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>${run(" seven")}`,
      `<w:r><w:sym w:font="Wingdings 2" w:char="F052"/></w:r>${run(" eight")}`,
      run("þ", '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>') + run(" nine"),
      run("\uf06f", '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>') + run(" ten"),
      run("☒ Yes ☐ No"),
    ];
    expect((await bodyOf(lines.map((line) => p(line)).join(""))).trim().split("\n\n")).toEqual([
      "☐ one",
      "☒ two",
      "☐ three",
      "☒ four",
      "☐ five",
      "☒ six",
      "☐ seven",
      "☑ eight",
      "☑ nine",
      "☐ ten",
      "☒ Yes ☐ No",
    ]);
  });

  test("that begin a step are its own, one of several is a sign", async () => {
    const body =
      item(legacyBox("<w:checked/>") + run(" Sign.")) +
      item(box('<w14:checked w14:val="0"/>', "<w:t>☐</w:t>") + run(" Call.")) +
      item("☐ Yes ☐ No") +
      item("Wait ☐");
    expect(await bodyOf(body)).toBe("1. [x] Sign.\n2. [ ] Call.\n3. ☐ Yes ☐ No\n4. Wait ☐\n");
  });

  test("as the sign of a bullet list make tasks", async () => {
    const signs = (text: string, font: string) =>
      part(
        "numbering",
        `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="${text}"/><w:rPr><w:rFonts w:ascii="${font}"/></w:rPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
      );
    const list = item("one") + item("two");
    expect(await bodyOf(list, { "word/numbering.xml": signs("\uf0a8", "Wingdings") })).toBe("- [ ] one\n- [ ] two\n");
    expect(await bodyOf(list, { "word/numbering.xml": signs("o", "Courier New") })).toBe("- one\n- two\n");
  });

  test("whole cells can be controls", async () => {
    const cell = (inside: string) => `<w:tc>${p(inside)}</w:tc>`;
    const boxed = control('<w14:checkbox><w14:checked w14:val="1"/></w14:checkbox>', cell("☒"));
    const body = `<w:tbl><w:tr>${cell("Task")}${cell("Done")}</w:tr><w:tr>${cell("Fill")}${boxed}</w:tr></w:tbl>`;
    expect(await bodyOf(body)).toContain("| Fill | ☒ |");
  });
});

describe("form fields", () => {
  test("a list shows the entry that is chosen", async () => {
    const list = (state: string) =>
      field("FORMDROPDOWN", "", `<w:ddList>${state}<w:listEntry w:val="µg"/><w:listEntry w:val="mg"/></w:ddList>`);
    const body =
      p(run("5 ") + list('<w:result w:val="1"/>')) +
      p(run("7 ") + list("")) +
      p(run("9 ") + list('<w:default w:val="1"/>'));
    expect(await bodyOf(body)).toBe("5 mg\n\n7 µg\n\n9 mg\n");
  });

  test("values of controls are text, prompts are noted", async () => {
    const filled = (kind: string, value: string) => p(run("Dose: ") + control(kind, run(value)));
    const prompt = p(run("Unit: ") + control("<w:dropDownList/><w:showingPlcHdr/>", run("Choose an item.")));
    const { body, notes } = await read(
      filled("<w:dropDownList/>", "5 µg") +
        filled("<w:comboBox/>", "6 µg") +
        filled("<w:date/>", "1 May 2026") +
        prompt,
    );
    expect(body).toBe("Dose: 5 µg\n\nDose: 6 µg\n\nDose: 1 May 2026\n\nUnit:\n");
    expect(notes).toContain('1 empty form field left out: "Choose an item."');
  });

  test("a text field has its value, an empty one a note", async () => {
    const { body, notes } = await read(
      p(run("Name: ") + field("FORMTEXT", run("Ada"), '<w:name w:val="who"/>')) +
        p(run("Room: ") + field("FORMTEXT", run("\u2002\u2002\u2002"), '<w:name w:val="room"/>')),
    );
    expect(body).toBe("Name: Ada\n\nRoom:\n");
    expect(notes).toContain('1 empty form field left out: "room"');
  });
});

describe("fields", () => {
  test("instructions are no words, results are", async () => {
    const inner = field("PAGE", run("1"));
    const nested = char("begin") + code("IF") + inner + code('= 1 "a" "b"') + char("separate") + run("a") + char("end");
    expect(await bodyOf(p(run("x ") + nested))).toBe("x a\n");
  });

  test("a link has its address without its tip, and its place", async () => {
    expect(await bodyOf(p(field('HYPERLINK "https://example.org/a" \\o "Tip of it"', run("out"))))).toBe(
      "[out](https://example.org/a)\n",
    );
    expect(await bodyOf(p(field('HYPERLINK "https://example.org/a" \\l "b"', run("out"))))).toBe(
      "[out](https://example.org/a#b)\n",
    );
  });

  test("a second mark of a footnote is one", async () => {
    const first = `<w:bookmarkStart w:id="1" w:name="_Ref1"/><w:r><w:footnoteReference w:id="2"/></w:r><w:bookmarkEnd w:id="1"/>`;
    expect(await bodyOf(p(run("One") + first) + p(run("Two") + field("NOTEREF _Ref1 \\h", run("1"))))).toBe(
      "One[^2]\n\nTwo[^2]\n\n[^2]: Why.\n",
    );
  });

  test("symbols are shown, what only Word can compute is noted", async () => {
    const { body, notes } = await read(
      p(run("80 ") + field("SYMBOL 176 \\f Symbol") + run("C ") + field("EQ \\f(1,2)")),
    );
    expect(body).toBe("80 °C\n");
    expect(notes).toContain('1 field that only Word can show left out: "EQ \\f(1,2)"');
  });
});

describe("text as Word shows it", () => {
  const styles = part(
    "styles",
    style("Gone", "Gone", "<w:rPr><w:vanish/></w:rPr>") +
      '<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>' +
      '<w:style w:type="character" w:styleId="Deeper"><w:name w:val="Deeper"/><w:basedOn w:val="Secret"/></w:style>' +
      '<w:style w:type="character" w:styleId="Up"><w:name w:val="Up"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>' +
      '<w:style w:type="character" w:styleId="Out"><w:name w:val="Out"/><w:rPr><w:strike/></w:rPr></w:style>',
  );
  const readStyled = (body: string) => read(body, { "word/styles.xml": styles });

  test("hidden text goes, also by its style, with a note", async () => {
    const { body, notes } = await readStyled(
      p(run("Open") + run(" no", "<w:vanish/>") + run(" valve", '<w:vanish w:val="0"/>')) +
        p(run("A") + run(" b", '<w:rStyle w:val="Deeper"/>')) +
        p(run("c"), '<w:pStyle w:val="Gone"/>') +
        p(run("seen", '<w:vanish w:val="0"/>'), '<w:pStyle w:val="Gone"/>') +
        p(run("both", '<w:rStyle w:val="Secret"/>'), '<w:pStyle w:val="Gone"/>') +
        p(run("web", "<w:webHidden/>")),
    );
    expect(body).toBe("Open valve\n\nA\n\nseen\n\nboth\n\nweb\n");
    expect(notes).toContain('3 hidden texts left out, as Word shows it: "no", "b", "c"');
  });

  test("a hidden step takes no number", async () => {
    const hidden = p(
      run("two", "<w:vanish/>"),
      '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:vanish/></w:rPr>',
    );
    expect(await bodyOf(item("one") + hidden + item("three"))).toBe("1. one\n2. three\n");
  });

  test("struck and raised text is so, however it is said", async () => {
    const { body } = await readStyled(
      p(
        run("10") +
          run("3", '<w:rStyle w:val="Up"/>') +
          run(" a ") +
          run("b", "<w:dstrike/>") +
          run(" c ") +
          run("d", '<w:rStyle w:val="Out"/>') +
          run(" ") +
          run("e", '<w:rStyle w:val="Out"/><w:strike w:val="0"/>'),
      ),
    );
    expect(body).toBe("10<sup>3</sup> a ~~b~~ c ~~d~~ e\n");
  });

  test("characters of symbol fonts are their symbols", async () => {
    const symbol = '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>';
    const { body, notes } = await read(
      p(
        run("5 ") +
          run("m", symbol) +
          run("g ") +
          run("\uf0b3", symbol) +
          run(" 2 ") +
          run("\uf0b7", '<w:rFonts w:ascii="Logo"/>'),
      ),
    );
    expect(body).toBe("5 μg ≥ 2\n");
    expect(notes).toContain("symbols of these fonts left out: Logo. Write them as text");
  });

  test("a page's end inside a line keeps its words apart", async () => {
    expect(await bodyOf(p('<w:r><w:t>one</w:t><w:br w:type="page"/><w:t>two</w:t></w:r>'))).toBe("one\\\ntwo\n");
    expect(await bodyOf(p('<w:r><w:br w:type="page"/><w:t>two</w:t></w:r>'))).toBe("two\n");
  });

  test("formulas are lines of text", async () => {
    const t = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
    const power = `<m:sSup><m:e>${t("10")}</m:e><m:sup>${t("3")}</m:sup></m:sSup>`;
    const half = `<m:f><m:num>${t("a+b")}</m:num><m:den>${t("2")}</m:den></m:f>`;
    const { body, notes } = await read(p(`${run("x ")}<m:oMath>${power}${t("=")}${half}</m:oMath>`));
    expect(body).toBe("x 10<sup>3</sup>=(a+b)/2\n");
    expect(notes).toContain('1 formula written as text, check: "103=(a+b)/2"');
  });
});

describe("tables", () => {
  const cell = (text: string, more = "") => `<w:tc>${more && `<w:tcPr>${more}</w:tcPr>`}${p(text)}</w:tc>`;
  const row = (cells: string, more = "") => `<w:tr>${more && `<w:trPr>${more}</w:trPr>`}${cells}</w:tr>`;
  const table = (rows: string, more = "") => `<w:tbl>${more && `<w:tblPr>${more}</w:tblPr>`}${rows}</w:tbl>`;

  test("a row that begins inside the grid stays in its columns", async () => {
    const body = table(
      row(cell("A") + cell("B") + cell("C")) +
        row(cell("b") + cell("c"), '<w:gridBefore w:val="1"/><w:wBefore w:w="2000" w:type="dxa"/>') +
        row(cell("a"), '<w:gridAfter w:val="2"/><w:wAfter w:w="4000" w:type="dxa"/>'),
    );
    expect(await bodyOf(body)).toContain("| A | B | C |\n| --- | --- | --- |\n| | b | c |\n| a | | |\n");
  });

  test("borders that no cell of a row has are no columns", async () => {
    const two = '<w:gridSpan w:val="2"/>';
    const hair = '<w:gridBefore w:val="1"/><w:wBefore w:w="20" w:type="dxa"/>';
    const body = table(row(cell("A", two) + cell("B", two)) + row(cell("a") + cell("b", two), hair));
    expect(await bodyOf(body)).toContain("| A | B |\n| --- | --- |\n| a | b |\n");
  });

  test("a cell that continues none above is one of its own", async () => {
    const body = table(
      row(cell("A", '<w:gridSpan w:val="2"/>') + cell("B", '<w:vMerge w:val="restart"/>')) +
        row(cell("a") + cell("b", "<w:vMerge/>") + cell("", "<w:vMerge/>")),
    );
    const { body: text } = await read(body);
    expect(text).toContain('<tr><th colspan="2">A</th><th rowspan="2">B</th></tr>\n<tr><td>a</td><td>b</td></tr>');
  });

  test("bookmarks between rows leave merged cells merged", async () => {
    const mark = '<w:bookmarkStart w:id="3" w:name="x"/><w:bookmarkEnd w:id="3"/>';
    const body = table(
      row(cell("A") + cell("B")) +
        mark +
        row(cell("a", '<w:vMerge w:val="restart"/>') + mark + cell("b")) +
        row(cell("", "<w:vMerge/>") + cell("c")),
    );
    expect(await bodyOf(body)).toContain('<td rowspan="2">a</td>');
  });

  test("a merged cell doesn't cross the end of the header", async () => {
    const body = table(
      row(cell("Task", '<w:vMerge w:val="restart"/>') + cell("Shift"), "<w:tblHeader/>") +
        row(cell("", "<w:vMerge/>") + cell("Day")) +
        row(cell("Fill") + cell("cy")),
    );
    expect(await bodyOf(body)).toContain(
      '<tr><th rowspan="2">Task</th><th>Shift</th></tr>\n<tr><th>Day</th></tr>\n</thead>',
    );
  });

  test("columns have the order that Word shows, for the side that the document is read from", async () => {
    const arabic = p("هذا إجراء لإغلاق الصمام قبل بدء العمل في الموقع كل يوم");
    const rows = row(cell("قيمة") + cell("صناعة")) + row(cell("١") + cell("٢"));
    expect(await bodyOf(arabic + table(rows))).toContain("| صناعة | قيمة |");
    expect(await bodyOf(arabic + table(rows, "<w:bidiVisual/>"))).toContain("| قيمة | صناعة |");
    expect(await bodyOf(p("English") + table(row(cell("a") + cell("b"))))).toContain("| a | b |");
    expect(await bodyOf(p("English") + table(row(cell("a") + cell("b")), "<w:bidiVisual/>"))).toContain("| b | a |");
  });

  test("a footnote of a table with merged cells is named below it", async () => {
    const note = `${run("x")}<w:r><w:footnoteReference w:id="2"/></w:r>`;
    const wide = `<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${p(note)}</w:tc>`;
    const body = await bodyOf(table(row(wide) + row(cell("a") + cell("b"))));
    expect(body).toMatch(/<\/table>\n\n\[\^2\]\n\n\[\^2\]: Why\.\n$/);
  });

  test("struck words in it stay struck", async () => {
    const wide = `<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${p(run("old", "<w:strike/>"))}</w:tc>`;
    expect(await bodyOf(table(row(wide) + row(cell("a") + cell("b"))))).toContain("<del>old</del>");
  });

  test("a hidden row is noted", async () => {
    const { body, notes } = await read(table(row(cell("A")) + row(cell("x"), "<w:hidden/>") + row(cell("b"))));
    expect(body).toBe("| A |\n| --- |\n| b |\n");
    expect(notes).toContain('1 hidden text left out, as Word shows it: "x"');
  });
});

test("numbers of lists in footnotes are Word's", async () => {
  const numbering = part(
    "numbering",
    `<w:abstractNum w:abstractNumId="0">${level(0, "decimal")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
  );
  const { body } = await read(p(`${run("x")}<w:r><w:footnoteReference w:id="2"/></w:r>`), {
    "word/numbering.xml": numbering,
    "word/footnotes.xml": part("footnotes", `<w:footnote w:id="2">${p("Why:")}${item("a")}${item("b")}</w:footnote>`),
    "word/_rels/document.xml.rels": rels(
      rel("n", "numbering", "numbering.xml") +
        rel("s", "styles", "styles.xml") +
        rel("f", "footnotes", "footnotes.xml"),
    ),
  });
  expect(body).toBe("x[^2]\n\n[^2]: Why:\n\n    1. a\n    2. b\n");
});

describe("what programs write in another way", () => {
  const mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

  test("figures that only their position raises are exponents, beside others on the line", async () => {
    const up = run("-3", '<w:position w:val="8"/><w:sz w:val="19"/>');
    const down = run("2", '<w:position w:val="-2"/>');
    expect(await bodyOf(p(`${run("10")}${up}${run(" mol, H")}${down}${run("O")}`))).toBe(
      "10<sup>-3</sup> mol, H<sub>2</sub>O\n",
    );
    expect(await bodyOf(p(run("All of it", '<w:position w:val="8"/>')))).toBe("All of it\n");
  });

  test("a large first letter is part of its word", async () => {
    const letter = p(run("D"), '<w:framePr w:dropCap="drop" w:lines="3"/>');
    expect(await bodyOf(letter + p("rop it"))).toBe("Drop it\n");
  });

  test("code of LibreOffice and empty lines of code stay", async () => {
    const styles = { "word/styles.xml": part("styles", style("Pre", "Preformatted Text")) };
    const line = (text: string) => p(text === "" ? "<w:bookmarkEnd/>" : text, '<w:pStyle w:val="Pre"/>');
    const { body, notes } = await read(["if a:", "  b  c", "", "end"].map(line).join(""), styles);
    expect(body).toBe("```\nif a:\n  b  c\n\nend\n```\n");
    expect(notes).toEqual([]);
  });

  test("the check names what the converter reads from another form than Word", async () => {
    const both = `<mc:AlternateContent ${mc}><mc:Choice Requires="w14">${run("Keep below 80 °C")}</mc:Choice><mc:Fallback>${run("Keep below 60 °C")}</mc:Fallback></mc:AlternateContent>`;
    const { notes } = await read(p(both));
    expect(notes.join()).toContain("“80” became “60”");
  });

  test("the check names nothing twice", async () => {
    const formula =
      "<m:oMath><m:f><m:num><m:r><m:t>80</m:t></m:r></m:num><m:den><m:r><m:t>4</m:t></m:r></m:den></m:f></m:oMath>";
    const cell = (inside: string) => `<w:tc>${inside}</w:tc>`;
    const table = (...cells: string[]) => `<w:tbl><w:tr>${cells.map(cell).join("")}</w:tr></w:tbl>`;
    const { notes } = await read(
      p(`${formula}${run(" is gone", "<w:vanish/>")}${run(" in ")}${run("m", '<w:rFonts w:ascii="Symbol"/>')}`) +
        table(p("a") + table(p("b"), p("c")) + p(""), p("d")),
    );
    expect(notes.filter((note) => /became “|is missing|is new/.test(note))).toEqual([]);
    expect(notes.join()).toContain("a table inside a table became lines of its cell");
  });
});
