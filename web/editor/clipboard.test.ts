import { Slice } from "@milkdown/kit/prose/model";
import { TextSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { formatMarkdown } from "#core/markdown/format.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import { openTextEditor, type TextEditor } from "../testing/text-editor.ts";
import { writeDocument } from "./document.ts";

// jsdom has none
beforeAll(() => void vi.stubGlobal("ClipboardEvent", Event));

let editor: TextEditor | null = null;
afterEach(async () => {
  await editor?.close();
  editor = null;
});

async function open(markdown = ""): Promise<EditorView> {
  editor = await openTextEditor(markdown);
  return editor.view;
}

/** As a browser does it, with plain text alone on the clipboard. */
function paste(view: EditorView, text: string) {
  const clipboardData = { getData: (type: string) => (type === "text/plain" ? text : "") };
  view.dom.dispatchEvent(Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData }));
}

/** What is stored after plain text was pasted into an empty text. */
async function pasted(text: string): Promise<string> {
  const view = await open();
  paste(view, text);
  return writeDocument(view.state.doc);
}

const inOneLine = (text: string) => text.replace(/\s+/g, " ").trim();

describe("pasted plain text", () => {
  it.each([
    "Set 20~25 °C and hold 5~7 bar.",
    "Enter <PIN> and press <Start>",
    "x<y>z",
    "2026. Something",
    "1. Close the valve",
    "- 5 °C",
    "# 5 bolts are missing",
    "    indented\n    twice",
    "Files *.log and *.tmp, 200*300*50 mm",
    "**not** _marked_ [x](y) `z`",
    "a &amp; b &nbsp; c",
    "> 80 °C: stop\n> 90 °C: call",
    "+ 200 V\n+ 300 V",
    "1. Enter <PIN>\n2. Press <Start>",
    "1. one\n3. three\n7. seven",
    "C:\\data\\new_file",
    "Item\tLimit\nOil\t40 l",
  ])("%j stays the words that were copied", async (text) => {
    const view = await open();
    paste(view, text);
    const shown = view.state.doc.textBetween(0, view.state.doc.content.size, "\n", "\n");
    expect(inOneLine(shown)).toBe(inOneLine(text));
    expect(plainText(parseMarkdown(writeDocument(view.state.doc)))).toBe(inOneLine(text));
  });

  it("keeps its lines, and its paragraphs", async () => {
    expect(await pasted("one\r\ntwo\r\n\r\nthree\n \n\nfour")).toBe("one\\\ntwo\n\nthree\n\nfour\n");
  });

  it.each([
    "1. Close the valve\n2. Open the lid\n",
    "## Steps\n\n- [ ] Wait for **10 min**\n- [x] Sign\n",
    "```sh\nls -la\n```\n",
    "| Item | Limit |\n| --- | --: |\n| Oil<br>Gas | 40 l |\n",
    'See [the list](/sop/SOP-0042 "T") and <https://a.example/x>.\n\n3. three\n4. four[^n]\n\n[^n]: The note.\n',
  ])("%j is clearly Markdown", async (markdown) => {
    expect(await pasted(markdown)).toBe(formatMarkdown(markdown));
  });

  it("goes into a cell in one piece", async () => {
    const view = await open("| A | B |\n| --- | --- |\n| x | y |\n");
    let at = 0;
    view.state.doc.descendants((node, pos) => {
      if (node.text === "x") at = pos + 1;
    });
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, at)));
    paste(view, "1. one\n2. two\n\nthree");
    expect(writeDocument(view.state.doc)).toBe("| A | B |\n| --- | --- |\n| x1. one<br>2. two<br><br>three | y |\n");
  });

  it("takes the marks at the caret", async () => {
    const view = await open("**bold**\n");
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 3)));
    paste(view, " new ");
    expect(writeDocument(view.state.doc)).toBe("**bo new ld**\n");
  });

  it("is always text when it is pasted as plain text", async () => {
    const view = await open();
    const { $from } = view.state.selection;
    const parse = (plain: boolean) =>
      view.someProp("clipboardTextParser", (read) => read("## A\n- b\n", $from, plain, view));
    expect(parse(false)?.content.childCount).toBe(2);
    expect(parse(false)?.content.firstChild?.type.name).toBe("heading");
    expect(parse(true)?.content.firstChild?.type.name).toBe("paragraph");
  });

  it.each(["1. ```\n", "- ```\n", "```\n"])("is text where it has marks of blocks alone: %j", async (text) => {
    const view = await open();
    paste(view, text);
    expect(view.state.doc.textContent).toBe(text);
  });

  it.each(["1. + a", "\n1. + a", "1. - a\n   - b", "- 1. a\n- b", "> - a\n> - b", "> - 1. a"])(
    "keeps both marks of a line: %j",
    async (text) => {
      expect(await pasted(text)).toBe(formatMarkdown(text.replace("+", "-")));
    },
  );

  it("keeps all words of random text", async () => {
    const view = await open();
    const unit = fc.constantFrom(
      ..."ab1 .*_`~<>[]()#|\\-+:!&\n\t",
      "\n\n",
      "\n- ",
      "\n1. ",
      "\n## ",
      "\n> ",
      "```\n",
      "| a | b |\n| --- | --- |\n",
      "20~25",
      "<PIN>",
      "<br>",
      "&lt;",
      "word",
      "[x](y)",
      "注意",
    );
    const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 20 }), (units) => {
        const text = units.join("");
        view.dispatch(view.state.tr.delete(0, view.state.doc.content.size));
        paste(view, text);
        const stored = writeDocument(view.state.doc);
        expect(words(stored)).toEqual(expect.arrayContaining(words(text)));
      }),
      { numRuns: 150 },
    );
  });
});

describe("text copied from the editor", () => {
  it("is words where they have no marks, and Markdown elsewhere", async () => {
    const view = await open("2 \\* 3 **mg**\n\n- a\n");
    const copied = (from: number, to: number): string =>
      view.someProp("clipboardTextSerializer", (write) => write(view.state.doc.slice(from, to), view)) ?? "";
    expect(copied(1, 7)).toBe("2 * 3 ");
    expect(copied(0, view.state.doc.content.size)).toBe("2 * 3 **mg**\n\n- a\n");
    expect(view.someProp("clipboardTextSerializer", (write) => write(Slice.empty, view)) ?? "").toBe("");
  });
});

it("code copied from Visual Studio Code becomes a block of code in its language", async () => {
  const view = await open();
  const data: Record<string, string> = { "text/plain": "a *b*\r\n", "vscode-editor-data": '{"mode":"sh"}' };
  const event = Object.assign(new Event("paste"), { clipboardData: { getData: (type: string) => data[type] ?? "" } });
  expect(view.someProp("handlePaste", (take) => take(view, event as unknown as ClipboardEvent, Slice.empty))).toBe(
    true,
  );
  expect(writeDocument(view.state.doc)).toBe("```sh\na *b*\n\n```\n");
});
