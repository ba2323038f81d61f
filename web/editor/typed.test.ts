import { TextSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import { openTextEditor, pressKey, typeText, type TextEditor } from "../testing/text-editor.ts";
import { readEditorDocument, writeDocument } from "./document.ts";

let editor: TextEditor | null = null;
afterEach(async () => {
  await editor?.close();
  editor = null;
});

async function open(markdown = ""): Promise<EditorView> {
  editor = await openTextEditor(markdown);
  return editor.view;
}

/** What is saved after a text was typed into an empty editor. */
async function typed(text: string): Promise<string> {
  const view = await open();
  typeText(view, text);
  return writeDocument(view.state.doc);
}

/** As readers see it: spaces in a row are one. */
const inOneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const shown = (view: EditorView) => view.state.doc.textBetween(0, view.state.doc.content.size, "\n", "\n");

describe("typed text", () => {
  it.each([
    "Dose: 2 * 3 * 4 mg",
    "5 ** 3 ** 2",
    "x ~~ y ~~ z",
    "Files *.log and *.tmp",
    "snake_case_name",
    "a_b_ c",
    "2 ` 3",
    "a ** b** c",
    "20~25 °C, then 5~7 bar",
    "~30 s~",
    "**open",
    "***",
    "1.",
    "+",
    "#",
    "-->",
    "---> go",
    "``` a",
    "2026. Something",
    "Enter <PIN> & press <Start>",
  ])("%j stays as it was typed", async (text) => {
    const view = await open();
    typeText(view, text);
    expect(shown(view)).toBe(text);
    expect(plainText(parseMarkdown(writeDocument(view.state.doc)))).toBe(text);
  });

  it.each([
    ["a *b* c", "a _b_ c\n"],
    ["a _b_ c", "a _b_ c\n"],
    ["a **b** c", "a **b** c\n"],
    ["a __b__ c", "a **b** c\n"],
    ["a ~~b~~ c", "a ~~b~~ c\n"],
    ["a `b` c", "a `b` c\n"],
    ["a ``b ` c`` d", "a ``b ` c`` d\n"],
    ["***both*** of", "_**both**_ of\n"],
    ["**bold *and italic***", "**bold _and italic_**\n"],
    ["*it **and bold***", "_it **and bold**_\n"],
    ["*a `b* c` d", "*a `b* c` d\n"],
    ["un*frigging*believable", "un*frigging*believable\n"],
    ["__init__ of", "**init** of\n"],
    ["*a.*b", "*a.*b\n"],
    ["_a_b_ c", "_a_b_ c\n"],
  ])("%j is stored as the same Markdown would be", async (text, markdown) => {
    expect(await typed(text)).toBe(markdown);
  });

  it("goes on without the mark that was typed, and within the one around it", async () => {
    const view = await open("**bold**\n");
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 3)));
    typeText(view, " *x* y ");
    expect(writeDocument(view.state.doc)).toBe("**bo _x_ y ld**\n");
  });

  it("Backspace right after a mark shows its characters again", async () => {
    const view = await open();
    typeText(view, "a **b**");
    expect(shown(view)).toBe("a b");
    expect(pressKey(view, "Backspace")).toBe(true);
    expect(shown(view)).toBe("a **b**");
    typeText(view, " c");
    expect(shown(view)).toBe("a **b** c");
  });

  it("makes no mark of characters that were there before", async () => {
    const view = await open("See \\*note\\*\n");
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 11)));
    typeText(view, " now");
    expect(shown(view)).toBe("See *note* now");
  });

  it("closes a mark that was begun elsewhere", async () => {
    const view = await open("close the valve\n");
    typeText(view, "**");
    view.dispatch(view.state.tr.setSelection(TextSelection.atEnd(view.state.doc)));
    typeText(view, "**");
    expect(writeDocument(view.state.doc)).toBe("**close the valve**\n");
  });

  it("leaves code alone", async () => {
    const view = await open("```\nab\n```\n");
    typeText(view, "*a* `b`");
    expect(writeDocument(view.state.doc)).toBe("```\n*a* `b`ab\n```\n");
  });

  it("reads as the same Markdown in a file, for random characters", async () => {
    const view = await open();
    const unit = fc.constantFrom(
      ..."ab15 .,()",
      ..."**__~~``",
      "* ",
      " *",
      "**",
      "~~",
      "3*4",
      "5~7",
      "注意",
      "：",
      "。",
      "é",
      "mg",
    );
    fc.assert(
      fc.property(fc.array(unit, { minLength: 2, maxLength: 14 }), (units) => {
        // a word before it: no block begins
        const text = `x ${units.join("")}`.replace(/ +/g, " ").trimEnd();
        view.dispatch(view.state.tr.delete(0, view.state.doc.content.size));
        typeText(view, text);
        expect(inOneLine(view.state.doc.textContent)).toBe(plainText(parseMarkdown(text)));
        const stored = writeDocument(view.state.doc);
        expect(plainText(parseMarkdown(stored))).toBe(plainText(parseMarkdown(text)));
        expect(readEditorDocument(view.state.schema, stored).textContent).toBe(view.state.doc.textContent);
      }),
      { numRuns: 150 },
    );
  });
});

describe("typed blocks", () => {
  it.each([
    ["## Scope", "## Scope\n"],
    ["# Scope", "## Scope\n"],
    ["##### Scope", "##### Scope\n"],
    ["- one\ntwo", "- one\n- two\n"],
    ["* one", "- one\n"],
    ["1. one\ntwo", "1. one\n2. two\n"],
    ["7. seven", "7. seven\n"],
    ["- [ ] open\ndone", "- [ ] open\n- [ ] done\n"],
    ["- [X] done", "- [x] done\n"],
    ["> said", "> said\n"],
    ["```js\nlet a;", "```js\nlet a;\n```\n"],
    ["before\n---\nafter", "before\n\n---\n\nafter\n"],
    ["## 1. Scope", "## 1. Scope\n"],
    ["## - Scope", "## - Scope\n"],
    ["1.\nnext", "1\\.\n\nnext\n"],
    ["+\nnext", "\\+\n\nnext\n"],
    ["#\nnext", "\\#\n\nnext\n"],
    [">\nnext", "\\>\n\nnext\n"],
  ])("%j becomes %j", async (text, markdown) => {
    expect(await typed(text)).toBe(markdown);
  });

  it("a box is made before the first words of an item only", async () => {
    const view = await open("- one\n\n  two\n");
    let at = 0;
    view.state.doc.descendants((node, pos) => {
      if (node.text === "two") at = pos;
    });
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, at)));
    typeText(view, "[x] ");
    expect(writeDocument(view.state.doc)).toBe("- one\n\n  [x] two\n");
  });
});
