import { TextSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { afterEach, describe, expect, it } from "vitest";
import { formatMarkdown } from "#core/markdown/format.ts";
import { openTextEditor, pressKey, typeText, type TextEditor } from "../testing/text-editor.ts";
import { writeDocument } from "./document.ts";

let editor: TextEditor | null = null;
afterEach(async () => {
  await editor?.close();
  editor = null;
});

async function openIn(markdown: string, word: string): Promise<EditorView> {
  editor = await openTextEditor(markdown);
  const { view } = editor;
  caretAfter(view, word);
  return view;
}

function caretAfter(view: EditorView, word: string) {
  let at = -1;
  view.state.doc.descendants((node, pos) => {
    const index = node.text?.indexOf(word) ?? -1;
    if (index >= 0 && at < 0) at = pos + index + word.length;
  });
  expect(at).toBeGreaterThan(0);
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, at)));
}

describe("a table with rows of different lengths", () => {
  it.each([
    [
      "short rows are filled on the right",
      "| Step | Limit | Note |\n| --- | --- | --- |\n| Heat | 80 °C |\n| Cool | 20 °C |\n",
      "Heat",
      "| Step | Limit | Note |\n| --- | --- | --- |\n| Heatx | 80 °C | |\n| Cool | 20 °C |\n",
    ],
    [
      "a short head gets a column for the words below it",
      "| Part | Limit |\n| --- | --- |\n| Oil | 40 l | blue |\n| Gas | 2 bar |\n",
      "Gas",
      "| Part | Limit | |\n| --- | --- | --- |\n| Oil | 40 l | blue |\n| Gasx | 2 bar | |\n",
    ],
    [
      "one long row moves none",
      "| A | B |\n| --- | :-: |\n| a1 | b1 |\n| a2 | b2 | c2 | d2 |\n",
      "b1",
      "| A | B | | |\n| --- | :-: | --- | --- |\n| a1 | b1x | | |\n| a2 | b2 | c2 | d2 |\n",
    ],
    [
      "surplus cells without words make no column",
      "| A | B |\n| --- | --- |\n| a1 | b1 | |\n| a2 | b2 |\n",
      "a2",
      "| A | B |\n| --- | --- |\n| a1 | b1 | |\n| a2x | b2 |\n",
    ],
  ])("%s", async (_, text, word, written) => {
    const markdown = formatMarkdown(text);
    const view = await openIn(markdown, word);
    expect(writeDocument(view.state.doc)).toBe(markdown);
    typeText(view, "x");
    expect(filled(writeDocument(view.state.doc))).toBe(filled(written));
    const table = view.state.doc.firstChild;
    expect(new Set(table?.children.map((row) => row.childCount)).size).toBe(1);
  });

  it("keeps the addresses of a row that holds stars, beside a row that is too long", async () => {
    const rows = "| H1 | H2 |\n| --- | --- |\n| `a\\|b` | b | c |\n| 2**2 https://a.example/z.** 2 | b | c | end |\n";
    const view = await openIn(rows, "end");
    typeText(view, "x");
    expect(writeDocument(view.state.doc)).toContain("| 2\\*\\*2 <https://a.example/z>.\\*\\* 2 | b | c | endx |");
  });
  it("keeps its bytes in a list while another item is edited", async () => {
    const table = "  | A | B |\n  | --- | --- |\n  | a1 |\n  | a2 | b2 | c2 |\n";
    const markdown = formatMarkdown(`- one\n- two\n\n${table}`);
    const view = await openIn(markdown, "one");
    typeText(view, "x");
    expect(writeDocument(view.state.doc)).toBe(markdown.replace("one", "onex"));
  });
});

/** Without empty cells at the ends of rows. */
const filled = (markdown: string) => markdown.replaceAll(/(?: \|)+$/gm, " |");

describe("a line break", () => {
  it.each([1, 2, 3, 4, 5, 6])("in a heading of level %i stays in the heading", async (level) => {
    const marks = "#".repeat(level);
    const view = await openIn(`${marks} Line A line B\n`, "Line A");
    expect(pressKey(view, "Enter", { shiftKey: true })).toBe(true);
    expect(writeDocument(view.state.doc)).toBe(`${marks} Line A<br> line B\n`);
  });

  it("that a paragraph brings into a heading is no backslash", async () => {
    const view = await openIn("Line A\\\nLine B\n", "Line A");
    const heading = view.state.schema.nodes["heading"];
    if (!heading) throw new Error("no headings");
    view.dispatch(view.state.tr.setBlockType(1, 1, heading, { level: 3 }));
    expect(writeDocument(view.state.doc)).toBe("### Line A<br>Line B\n");
  });

  it("in a cell is written as one", async () => {
    const view = await openIn("| A |\n| --- |\n| one two |\n", "one");
    pressKey(view, "Enter", { shiftKey: true });
    expect(writeDocument(view.state.doc)).toBe("| A |\n| --- |\n| one<br> two |\n");
  });

  it("alone in an item or a paragraph is shown as one", async () => {
    const markdown = "- <br>\n- Wait\n\n<br />\n\nEnd\n";
    const view = await openIn(markdown, "Wait");
    expect(view.dom.querySelectorAll(".editor-raw")).toHaveLength(0);
    expect(view.dom.textContent).not.toContain("<br");
    typeText(view, "x");
    expect(writeDocument(view.state.doc)).toBe(markdown.replace("Wait", "Waitx"));
  });
});
