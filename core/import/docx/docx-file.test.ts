// Word files are built part by part from the standard (ISO/IEC 29500-1), as Word writes them. None is a person's real
// file.
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { readExportBlocks } from "#core/export/read-blocks.ts";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { createReport } from "#core/import/markdown/report.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { docx, item, ns, p, part, rel, rels, run, styled } from "../../../test/word-file.ts";
import { readDocx } from "./docx-file.ts";

async function read(body: string, parts: Record<string, string> = {}, name = "docs/my-file.docx") {
  const report = createReport(name);
  const { text, images } = await readDocx(name, docx(body, parts), report);
  return { text, images, notes: report.lines.map(({ message }) => message) };
}
const markdown = async (body: string) => (await read(body)).text.replace(/^---\n[^]*?\n---\n\n/, "");

describe("numbering", () => {
  test("a list cut by a paragraph goes on counting", async () => {
    expect(await markdown(item("one") + item("two") + p("A remark.") + item("three") + item("four"))).toBe(
      "1. one\n2. two\n\nA remark.\n\n3. three\n4. four\n",
    );
  });

  test("an indented paragraph between two steps belongs to the one above", async () => {
    const remark = p("Wait.", '<w:ind w:left="720"/>');
    expect(await markdown(item("one") + remark + item("two"))).toBe("1. one\n\n   Wait.\n\n2. two\n");
  });

  test("a list that starts again, starts again", async () => {
    expect(await markdown(item("one") + p("Next.") + item("uno", 3) + item("due", 3))).toBe(
      "1. one\n\nNext.\n\n1. uno\n2. due\n",
    );
  });

  test("restarts deeper steps below each step, and recognizes letters", async () => {
    const { text, notes } = await read(
      item("one") + item("a", 1, 1) + item("b", 1, 1) + item("two") + item("a again", 1, 1),
    );
    expect(text.replace(/\n\n/g, "\n")).toContain("1. one\n   1. a\n   2. b\n2. two\n   1. a again\n");
    expect(notes).toContain("3 steps with letters or Roman numbers became numbers");
  });

  test("a deeper step after a paragraph has no step without words above it", async () => {
    expect(await markdown(item("one") + item("a", 1, 1) + p("Remark.") + item("b", 1, 1))).toBe(
      "1. one\n   1. a\n\nRemark.\n\n2. b\n",
    );
  });

  test("a style brings its list along", async () => {
    expect(await markdown(styled("Step", "one") + p("Remark.") + styled("Step", "two"))).toBe(
      "1. one\n\nRemark.\n\n2. two\n",
    );
  });

  test("bullets stay bullets", async () => {
    expect(await markdown(item("x", 2) + item("y", 2))).toBe("- x\n- y\n");
  });
});

describe("a Word file", () => {
  test("the style Title is the title, and chapters stay headings", async () => {
    const { text } = await read(
      styled("Title", "Clean the kettle") + styled("Heading1", "Purpose") + p("So.") + styled("Heading1", "Steps"),
    );
    expect(text).toBe('---\ntitle: "Clean the kettle"\n---\n\n# Purpose\n\nSo.\n\n# Steps\n');
  });

  test("without one the file's name is, unless a single heading is", async () => {
    expect((await read(styled("Heading1", "A") + styled("Heading1", "B"))).text).toContain('title: "My file"');
    expect((await read(styled("Heading1", "Only") + p("x"))).text).toBe("# Only\n\nx\n");
  });

  test("number, revision and day of the page header", async () => {
    const header = part("hdr", `${p("Document No.: QA-012")}${p("Revision: 3")}${p("Effective date: 2025-01-31")}`);
    const { text, notes } = await read(p("x"), { "word/header1.xml": header });
    expect(text).toContain('effective: "2025-01-31"\nx-document-number: "QA-012"\nx-document-revision: "3"\n');
    expect(notes).toContain("from the page header: document-number QA-012, document-revision 3");
  });

  test("spaces go out of bold", async () => {
    expect(await markdown(p(run("Warning: ", "<w:b/>") + run("hot")))).toBe("**Warning:** hot\n");
  });

  test("tracked changes are accepted, and said", async () => {
    const changed = p(
      `${run("Press ")}<w:del w:id="1" w:author="A"><w:r><w:delText>red</w:delText></w:r></w:del><w:ins w:id="2" w:author="A">${run("green")}</w:ins>`,
    );
    const { text, notes } = await read(changed);
    expect(text).toContain("Press green\n");
    expect(text).not.toContain("red");
    expect(notes).toContain("2 tracked changes accepted");
  });

  test("words inside fields, directions and readings stay", async () => {
    const field = (instruction: string, inside: string) =>
      `<w:fldSimple w:instr="${instruction}">${inside}</w:fldSimple>`;
    const parts = {
      "word/footnotes.xml": part("footnotes", `<w:footnote w:id="2">${p(field("REF x", run("7")))}</w:footnote>`),
    };
    const note = '<w:r><w:footnoteReference w:id="2"/></w:r>';
    const caption = p(`${run("Figure ")}${field(" SEQ Figure \\* ARABIC ", run("1"))}${run(": the valve")}${note}`);
    const { text } = await read(
      caption +
        p(field(" HYPERLINK &quot;https://example.org/a&quot; ", run("out")) + field("PAGE", "")) +
        p(`<w:dir w:val="rtl"><w:bdo w:val="rtl">${run("יד")}</w:bdo></w:dir>`) +
        p(`<w:r><w:ruby><w:rubyPr/><w:rt>${run("とう")}</w:rt><w:rubyBase>${run("東")}</w:rubyBase></w:ruby></w:r>`) +
        p(`<w:r><w:t>one</w:t><w:cr/><w:t>two</w:t></w:r>`),
      parts,
    );
    expect(text.replace(/^---\n[^]*?\n---\n\n/, "")).toBe(
      "Figure 1: the valve[^2]\n\n[out](https://example.org/a)\n\nיד\n\n東(とう)\n\none\\\ntwo\n\n[^2]: 7\n",
    );
  });

  test("symbols that only a font knows are said", async () => {
    const { notes } = await read(p('<w:r><w:sym w:font="Company Signs" w:char="F0FF"/></w:r>'));
    expect(notes).toContain("symbols of these fonts left out: Company Signs. Write them as text");
  });

  test("the first row of a table is its header, two paragraphs in a cell are two lines", async () => {
    const cell = (...inside: string[]) => `<w:tc>${inside.map((text) => p(text)).join("")}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell("A")}${cell("B")}</w:tr><w:tr>${cell("1", "2")}${cell("3")}</w:tr></w:tbl>`;
    expect(await markdown(table)).toBe("| A | B |\n| --- | --- |\n| 1<br>2 | 3 |\n");
    const said = table.replace("<w:tr>", '<w:tr><w:trPr><w:tblHeader w:val="0"/></w:trPr>');
    expect(await markdown(said)).toBe("| A | B |\n| --- | --- |\n| 1<br>2 | 3 |\n");
  });

  test("merged cells are an HTML table with a line for each row, which readers see", async () => {
    const cell = (text: string, more = "") => `<w:tc><w:tcPr>${more}</w:tcPr>${p(text)}</w:tc>`;
    const row = (...cells: string[]) => `<w:tr>${cells.join("")}</w:tr>`;
    const table = [
      row(cell("Wide", '<w:gridSpan w:val="2"/>'), cell("C")),
      row(cell("Tall", '<w:vMerge w:val="restart"/>'), cell("1"), cell("2")),
      row(cell("", "<w:vMerge/>"), cell("3"), cell("4")),
    ].join("");
    const { text, notes } = await read(`<w:tbl>${table}</w:tbl>`);
    const rows = [
      "<table><tbody>",
      '<tr><th colspan="2">Wide</th><th>C</th></tr>',
      '<tr><td rowspan="2">Tall</td><td>1</td><td>2</td></tr>',
      "<tr><td>3</td><td>4</td></tr>",
      "</tbody>",
      "</table>",
    ];
    expect(text).toContain(rows.join("\n"));
    expect(notes).toContain("1 table with merged cells, lists or paragraphs in cells kept as HTML");
    const { body } = readMarkdownDocument({ path: "a.md", text });
    expect(body).toContain(rows.join("\n"));
    expect(renderHtml(body)).toContain('<td rowspan="2">Tall</td>');
    const page = readExportBlocks(renderHtml(body));
    expect(JSON.stringify(page)).toMatch(/"columns":2/);
    expect(JSON.stringify(page)).toMatch(/"rows":2/);
  });

  test("links, links to headings, footnotes", async () => {
    const text = await markdown(
      p(`<w:hyperlink r:id="h">${run("out")}</w:hyperlink>`) +
        p(`<w:hyperlink w:anchor="_Toc1">${run("in")}</w:hyperlink>`) +
        p(`${run("Note")}<w:r><w:footnoteReference w:id="2"/></w:r>`) +
        `<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:bookmarkStart w:id="0" w:name="_Toc1"/>${run("The steps")}</w:p>`,
    );
    expect(text).toBe("[out](https://example.org/a)\n\n[in](#the-steps)\n\nNote[^2]\n\n## The steps\n\n[^2]: Why.\n");
  });

  test("pictures come along beside the text", async () => {
    const drawing =
      '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="x" descr="A valve"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="i"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
    const { text, images } = await read(drawing, {
      "word/_rels/document.xml.rels": rels(
        rel("i", "image", "media/image1.png") +
          rel("n", "numbering", "numbering.xml") +
          rel("s", "styles", "styles.xml"),
      ),
      "word/media/image1.png": "not looked at here",
    });
    expect(text).toContain("![A valve](embedded-1.png)");
    expect(new TextDecoder().decode(images.get("embedded-1.png"))).toBe("not looked at here");
  });

  describe("words in figures", () => {
    const box = (inside: string) => `<w:txbxContent>${inside}</w:txbxContent>`;
    const newer = (inside: string) =>
      `<mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx>${inside}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice>`;
    const older = (inside: string) =>
      `<mc:Fallback><w:pict><v:shape><v:textbox>${inside}</v:textbox></v:shape></w:pict></mc:Fallback>`;
    const both = (...branches: string[]) =>
      `<w:r><mc:AlternateContent>${branches.join("")}</mc:AlternateContent></w:r>`;
    const figures =
      'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"';
    const readFigures = async (body: string, parts: Record<string, string> = {}) =>
      await read("", {
        "word/document.xml": `<w:document ${ns} ${figures}><w:body>${body}</w:body></w:document>`,
        "word/_rels/document.xml.rels": rels(
          rel("s", "styles", "styles.xml") +
            rel("n", "numbering", "numbering.xml") +
            rel("d", "diagramData", "diagrams/data1.xml") +
            rel("c", "chart", "charts/chart1.xml"),
        ),
        ...parts,
      });
    const textOf = async (body: string, parts: Record<string, string> = {}) =>
      (await readFigures(body, parts)).text.replace(/^---\n[^]*?\n---\n\n/, "");

    test("a text box in two forms is there once, below its paragraph", async () => {
      const label = box(p("Pump A") + item("Open it"));
      const body = `<w:p>${run("Before")}${both(newer(label), older(label))}${run(" and after")}</w:p>${p("Next")}`;
      expect(await textOf(body)).toBe("Before and after\n\nPump A\n\n1. Open it\n\nNext\n");
      expect((await readFigures(body)).notes).toContain("the text of 1 text box is below its figure");
    });

    test("a text box in one form only, new or old, and one inside another", async () => {
      const [one, two] = [box(p("One")), box(p("Two"))];
      expect(await textOf(`<w:p>${both(newer(one))}</w:p><w:p>${both("<mc:Choice/>", older(two))}</w:p>`)).toBe(
        "One\n\nTwo\n",
      );
      const inner = box(`<w:p>${run("Outer")}${both(newer(one), older(one))}</w:p>`);
      expect(await textOf(`<w:p>${both(newer(inner), older(inner))}</w:p>`)).toBe("Outer\n\nOne\n");
    });

    test("plain text in two forms stays in its line", async () => {
      const text = (words: string) => `<w:t>${words}</w:t>`;
      const runs = `<w:p>${run("a ")}<w:r><mc:AlternateContent><mc:Choice Requires="w14">${text("new")}</mc:Choice></mc:AlternateContent></w:r></w:p>`;
      expect(await textOf(runs)).toBe("a new\n");
    });

    test("the words of diagrams and charts are there, each series' names once", async () => {
      const graphic = (inside: string) =>
        `<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData>${inside}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
      const words = (...all: string[]) => all.map((word) => `<a:p><a:r><a:t>${word}</a:t></a:r></a:p>`).join("");
      const cache = "<c:strCache><c:pt><c:v>May</c:v></c:pt><c:pt><c:v>June</c:v></c:pt></c:strCache>";
      const { text, notes } = await readFigures(graphic('<dgm:relIds r:dm="d"/>') + graphic('<c:chart r:id="c"/>'), {
        "word/diagrams/data1.xml": `<dgm:dataModel ${figures}>${words("Ask &amp; wait", "Check")}</dgm:dataModel>`,
        "word/charts/chart1.xml": `<c:chartSpace ${figures}>${words("Faults")}${cache}${cache}</c:chartSpace>`,
      });
      expect(text).toContain("Ask & wait · Check\n\nFaults · May · June\n");
      expect(notes).toContainEqual(expect.stringMatching(/^2 charts or diagrams left out, with the words below/));
    });
  });

  test("what can't come along is said", async () => {
    const toc = `<w:p><w:pPr><w:pStyle w:val="TOC1"/></w:pPr><w:r><w:instrText>TOC \\o</w:instrText></w:r>${run("1 Purpose 3")}</w:p>`;
    const { text, notes } = await read(`${toc}<w:p><w:r><w:commentReference w:id="1"/></w:r>${run("x")}</w:p>`);
    expect(text).not.toContain("Purpose 3");
    expect(notes).toEqual(expect.arrayContaining(["1 comment left out", expect.stringContaining("table of contents")]));
  });
});

describe("refused", () => {
  const refuse = (bytes: Uint8Array) => readDocx("x.docx", bytes, createReport("x.docx"));

  test.each([
    ["a password", Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), "without a password"],
    ["no zip", strToU8("hello"), "zip archive, or its end is missing"],
    ["a zip of something else", zipSync({ "a.txt": strToU8("x") }), "isn't a Word document"],
    [
      "entities",
      docx("", { "word/document.xml": `<!DOCTYPE a [<!ENTITY b "c">]>${part("document", "<w:body/>")}` }),
      "document type",
    ],
    ["a bomb", docx("", { "word/big.xml": " ".repeat(40 * 1024 * 1024) }), "far more than"],
    ["a path that leads out", docx("", { "../x.xml": "x" }), "leads out"],
    ["half of XML", docx("", { "word/document.xml": "<w:document" }), "can't be read"],
  ])("%s", async (_, bytes, reason) => {
    await expect(refuse(bytes)).rejects.toMatchObject({ name: "AppError", message: expect.stringContaining(reason) });
  });

  test("what nests too deeply", async () => {
    const deep = "<w:tbl><w:tr><w:tc>".repeat(20_000);
    await expect(refuse(docx(deep + "</w:tc></w:tr></w:tbl>".repeat(20_000)))).rejects.toMatchObject({
      name: "AppError",
    });
  });
});
