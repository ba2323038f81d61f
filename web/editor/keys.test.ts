import { EditorState, TextSelection } from "@milkdown/kit/prose/state";
import { EditorView } from "@milkdown/kit/prose/view";
import { afterEach, describe, expect, it } from "vitest";
import { createSchema } from "./create-editor.ts";
import { readEditorDocument, writeDocument } from "./document.ts";
import { shortcutKeysPlugin } from "./keys.ts";

let view: EditorView;
afterEach(() => view.destroy());

async function openIn(markdown: string, word: string) {
  const schema = await createSchema(document.createElement("div"));
  const doc = readEditorDocument(schema, markdown);
  let at = 0;
  doc.descendants((node, position) => {
    if (node.isText && node.text?.includes(word)) at = position;
  });
  const state = EditorState.create({
    doc,
    plugins: [shortcutKeysPlugin(() => {})],
    selection: TextSelection.create(doc, at),
  });
  view = new EditorView(document.createElement("div"), { state });
}

/** Whether the editor took the key. */
const press = (key: string, shiftKey = false) =>
  view.someProp("handleKeyDown", (handle) => handle(view, new KeyboardEvent("keydown", { key, shiftKey }))) ?? false;

const table = "| Item | Limit |\n| --- | --- |\n| Soup | 75 |\n";

describe("Tab in a table", () => {
  it("goes from cell to cell, and from the last one into a new row", async () => {
    await openIn(table, "Soup");
    expect(press("Tab")).toBe(true);
    expect(view.state.selection.$from.parent.textContent).toBe("75");
    expect(press("Tab")).toBe(true);
    view.dispatch(view.state.tr.insertText("Sauce"));
    expect(writeDocument(view.state.doc)).toBe("| Item | Limit |\n| --- | --- |\n| Soup | 75 |\n| Sauce | |\n");
  });

  it("leaves after Escape, without a row", async () => {
    await openIn(table, "75");
    press("Escape");
    expect(press("Tab")).toBe(false);
    expect(writeDocument(view.state.doc)).toBe(table);
  });
});

describe("Enter in a step", () => {
  const pressAtEndOf = async (markdown: string, word: string) => {
    await openIn(markdown, word);
    const { doc, selection } = view.state;
    view.dispatch(view.state.tr.setSelection(TextSelection.create(doc, selection.$from.end())));
    expect(press("Enter")).toBe(true);
    view.dispatch(view.state.tr.insertText("Next"));
    return writeDocument(view.state.doc);
  };

  it("goes into the empty step that waits below, and adds none", async () => {
    expect(await pressAtEndOf("1. One\n2.\n", "One")).toBe("1. One\n2. Next\n");
  });

  it("writes the empty last step only where the list wasn't edited", async () => {
    await openIn("1. One\n2.\n3.\n", "One");
    expect(writeDocument(view.state.doc)).toBe("1. One\n2.\n3.\n");
    view.dispatch(view.state.tr.insertText("Step "));
    expect(writeDocument(view.state.doc)).toBe("1. Step One\n");
  });

  it("adds a step above one with text, and below the last", async () => {
    expect(await pressAtEndOf("1. One\n2. Two\n", "One")).toBe("1. One\n2. Next\n3. Two\n");
    expect(await pressAtEndOf("1. One\n2. Two\n", "Two")).toBe("1. One\n2. Two\n3. Next\n");
  });
});
