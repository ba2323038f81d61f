import { editorViewCtx } from "@milkdown/kit/core";
import { undo } from "@milkdown/kit/prose/history";
import { TextSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { afterEach, describe, expect, it } from "vitest";
import { blocks, findBlocks } from "./blocks.ts";
import type { BlockMenuState } from "./block-menu.ts";
import { createEditor } from "./create-editor.ts";
import { writeDocument } from "./document.ts";

const nothing = () => {};
let close: () => unknown = nothing;
afterEach(async () => {
  await close();
});

async function open(markdown: string, at: "end" | number = "end") {
  const told: { menu: BlockMenuState | null; asked: string[] } = { menu: null, asked: [] };
  const editor = await createEditor(
    document.body,
    markdown,
    {},
    {
      onReady: nothing,
      onEdit: nothing,
      onPause: nothing,
      onToolbar: nothing,
      onFailed: nothing,
      onFinding: nothing,
      onBlockMenu: (menu) => (told.menu = menu),
      onMentionMenu: nothing,
      findMentions: () => Promise.resolve([]),
      onOpenDialog: (what) => told.asked.push(what),
      upload: () => Promise.reject(new Error("no pictures here")),
    },
  ).create();
  close = () => editor.destroy();
  const view = editor.ctx.get(editorViewCtx);
  const { doc } = view.state;
  const place = at === "end" ? TextSelection.atEnd(doc) : TextSelection.create(doc, at);
  view.dispatch(view.state.tr.setSelection(place));
  return {
    view,
    told,
    type: (text: string) => typeInto(view, text),
    press: (key: string) => {
      const event = new KeyboardEvent("keydown", { key });
      return view.someProp("handleKeyDown", (handle) => handle(view, event)) === true;
    },
    text: () => writeDocument(view.state.doc),
    offered: () => told.menu?.found.map(({ label }) => label) ?? null,
  };
}

/** As a keyboard does: plugins get each character first. */
function typeInto(view: EditorView, text: string): void {
  for (const character of text) {
    const { from, to } = view.state.selection;
    const insert = () => view.state.tr.insertText(character, from, to);
    const taken = view.someProp("handleTextInput", (handle) => handle(view, from, to, character, insert));
    if (!taken) view.dispatch(insert());
  }
}

describe("the menu behind /", () => {
  it("offers every block that would change something, and fewer while one types", async () => {
    const { type, offered } = await open("");
    type("/");
    expect(offered()).toEqual(blocks.map(({ label }) => label).filter((label) => label !== "Text"));
    type("ta");
    expect(offered()).toEqual(["Table", "Checklist"]);
    type("b");
    expect(offered()).toEqual(["Table"]);
  });

  it.each([
    ["h2", "## x\n\n### Up\n", "## x\n\nUp"],
    ["warn", "## x\n\n> [!WARNING]\n> Up\n", "## x\n\nUp"],
    ["check", "## x\n\n- [ ] Up\n", "## x\n\nUp"],
    ["horiz", "## x\n\nUp\n\n---\n", "## x\n\nUp"],
  ])(
    "/%s makes it of the paragraph, in one step, and nothing of what was typed remains",
    async (query, after, before) => {
      const { view, type, press, text, told } = await open(before);
      type(` /${query}`);
      expect(press("Enter")).toBe(true);
      expect(text()).toBe(after);
      expect(told.menu).toBeNull();
      undo(view.state, view.dispatch);
      expect(text()).toBe(`${before} /${query}\n`);
      expect(told.menu).toBeNull();
    },
  );

  it("puts a table in the place of an empty paragraph, the cursor in its first cell", async () => {
    const { type, press, text } = await open("");
    type("/table");
    press("Tab");
    type("A");
    expect(text()).toBe("| A | | |\n| --- | --- | --- |\n| | | |\n| | | |\n");
  });

  it("is walked round and round, and left by Escape with the text as it was typed", async () => {
    const { type, press, text, told } = await open("a");
    type(" /");
    press("ArrowUp");
    expect(told.menu?.active).toBe((told.menu?.found.length ?? 0) - 1);
    press("ArrowDown");
    expect(told.menu?.active).toBe(0);
    press("Escape");
    expect(told.menu).toBeNull();
    type("note");
    expect(told.menu).toBeNull();
    expect(text()).toBe("a /note\n");
  });

  it.each([
    ["within words", "and", "/or", "and/or\n"],
    ["in an address", "see https:", "//example.org/notes", "see https://example.org/notes\n"],
    ["in a path", "", "/etc/hosts", "/etc/hosts\n"],
    ["for a slash alone between words", "this", " / table", "this / table\n"],
    ["for words that are no block", "", "/note this", "/note this\n"],
  ])("does not stay %s", async (_, before, typed, after) => {
    const { type, text, told, press } = await open(before);
    type(typed);
    expect(told.menu?.found ?? []).toEqual([]);
    expect(press("Escape")).toBe(false);
    expect(text()).toBe(after);
  });

  it.each(["```\nls\n```\n", "## Title\n"])("never opens in %j", async (markdown) => {
    const { type, told } = await open(markdown, 1);
    type("/");
    expect(told.menu).toBeNull();
  });

  it("offers in a cell what may stand in one", async () => {
    const { type, offered } = await open("| A |\n| --- |\n", 4);
    type("/");
    expect(offered()).toEqual(["Image", "Link"]);
  });

  it("hands over to the window of a link or a picture, the word gone", async () => {
    const { type, press, told, text } = await open("See");
    type(" /link");
    press("Enter");
    expect(told.asked).toEqual(["link"]);
    expect(text()).toBe("See\n");
  });

  it("does not open by what is pasted or undone, nor stay when the cursor goes", async () => {
    const { view, type, told } = await open("a");
    view.dispatch(view.state.tr.insertText(" /table"));
    expect(told.menu).toBeNull();
    type(" /ta");
    expect(told.menu?.query).toBe("ta");
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 1)));
    expect(told.menu).toBeNull();
  });
});

describe("blocks", () => {
  it.each([
    ["horizontal r", "Divider"],
    ["code b", "Code block"],
    ["h1", "Heading"],
    ["heading 3", "Small heading"],
    ["steps", "Numbered list"],
    ["image", "Image"],
    ["callout", "Danger"],
    ["danger", "Danger"],
    ["notice", "Notice"],
    ["NOTE", "Note"],
  ])("%j finds %s", (query, label) => {
    expect(findBlocks(blocks, query)[0]?.label).toBe(label);
  });

  it("have a name each", () => {
    expect(new Set(blocks.map(({ label }) => label)).size).toBe(blocks.length);
  });
});
