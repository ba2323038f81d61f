import { editorViewCtx } from "@milkdown/kit/core";
import { undo } from "@milkdown/kit/prose/history";
import { TextSelection, type Command } from "@milkdown/kit/prose/state";
import { afterEach, describe, expect, it } from "vitest";
import { addBlockBelow, deleteBlock, duplicateBlock, moveBlock } from "./block-commands.ts";
import { createEditor } from "./create-editor.ts";
import { writeDocument } from "./document.ts";
import { chooseMention, type MentionChoice, type MentionMenuState } from "./mention-menu.ts";
import { moveColumn, moveRow } from "./table-commands.ts";

const nothing = () => {};
let close: () => unknown = nothing;
afterEach(async () => {
  await close();
});

const kettle: MentionChoice = { kind: "sop", number: "SOP-0012", title: "Clean the kettles" };
const odd: MentionChoice = { kind: "sop", number: "QM 7/a", title: "Weigh [in] *grams*" };
const ann: MentionChoice = { kind: "person", name: "Ann Archer" };

async function open(markdown: string, words?: string) {
  const asked: string[] = [];
  const menus: (MentionMenuState | null)[] = [];
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
      onBlockMenu: nothing,
      onMentionMenu: (menu) => menus.push(menu),
      findMentions: async (query) => {
        asked.push(query);
        return [kettle, odd, ann].filter((one) =>
          (one.kind === "sop" ? one.title : one.name).toLowerCase().includes(query.toLowerCase()),
        );
      },
      onOpenDialog: nothing,
      upload: () => Promise.reject(new Error("no pictures here")),
    },
  ).create();
  close = () => editor.destroy();
  const view = editor.ctx.get(editorViewCtx);
  const { doc } = view.state;
  let at = TextSelection.atEnd(doc).from;
  if (words !== undefined) doc.descendants((node, pos) => void (node.isText && node.text === words && (at = pos + 1)));
  view.dispatch(view.state.tr.setSelection(TextSelection.create(doc, at)));
  const menu = () => menus.at(-1) ?? null;
  return {
    view,
    asked,
    menu,
    answered: (query: string) => expect.poll(() => menu()?.answered).toBe(query),
    type(text: string) {
      for (const character of text) {
        const { from, to } = view.state.selection;
        const insert = () => view.state.tr.insertText(character, from, to);
        const isTaken = view.someProp("handleTextInput", (handle) => handle(view, from, to, character, insert));
        if (!isTaken) view.dispatch(insert());
      }
    },
    press: (key: string) =>
      view.someProp("handleKeyDown", (handle) => handle(view, new KeyboardEvent("keydown", { key }))) === true,
    run: (command: Command) => command(view.state, view.dispatch, view),
    text: () => writeDocument(view.state.doc),
  };
}

describe("the menu behind [[ and @", () => {
  it("finds SOPs and inserts a link to the number, as one step that can be undone", async () => {
    const { type, answered, press, text, menu, view } = await open("See ");
    type(" [[kettle");
    await answered("kettle");
    expect(menu()?.found).toEqual([kettle]);
    expect(press("Enter")).toBe(true);
    type(" first");
    expect(text()).toBe("See [Clean the kettles](/sop/SOP-0012) first\n");
    expect(menu()).toBeNull();
    undo(view.state, view.dispatch);
    expect(text()).toBe("See [[kettle\n");
  });

  it("encodes the number, and keeps a title of special signs as text", async () => {
    const { type, answered, view, text } = await open("");
    type("@weigh");
    await answered("weigh");
    chooseMention(view, 0);
    expect(text()).toBe("[Weigh [in] \\*grams\\*](/sop/QM%207%2Fa)\n");
  });

  it("inserts a person's name as text", async () => {
    const { type, answered, press, text } = await open("Ask");
    type(" @ann");
    await answered("ann");
    press("Tab");
    expect(text()).toBe("Ask Ann Archer\n");
  });

  it("asks once typing rests, with the last words", async () => {
    const { type, answered, asked } = await open("");
    type("@");
    type("ket");
    type("tle");
    await answered("kettle");
    expect(asked).toEqual(["kettle"]);
  });

  it.each(["a@b", "one [ two", "`code` x@"])("stays closed for %s", async (typed) => {
    const { type, menu } = await open("");
    type(typed);
    expect(menu()).toBeNull();
  });

  it("closes by Escape, by ]] and by words that nothing answers", async () => {
    const { type, press, answered, menu, text } = await open("");
    type("[[ket");
    await answered("ket");
    press("Escape");
    expect(menu()).toBeNull();
    type(" [[a]]");
    expect(menu()).toBeNull();
    type(" @zzz");
    await answered("zzz");
    type(" noon");
    expect(menu()).toBeNull();
    expect(text()).toContain("@zzz noon");
  });
});

describe("a block as a whole", () => {
  const steps = "Before.\n\n1. One\n2. Two\n3. Three\n\nAfter.\n";

  it("moves a step among its steps, the list past its end, and keeps the caret in it", async () => {
    const { run, text, view } = await open(steps, "Two");
    expect(run(moveBlock(-1))).toBe(true);
    expect(text()).toBe("Before.\n\n1. Two\n2. One\n3. Three\n\nAfter.\n");
    expect(view.state.selection.$from.parent.textContent).toBe("Two");
    run(moveBlock(-1));
    expect(text()).toBe("1. Two\n2. One\n3. Three\n\nBefore.\n\nAfter.\n");
    expect(run(moveBlock(-1))).toBe(false);
  });

  it("is duplicated, deleted and followed by an empty one", async () => {
    const { run, text, type } = await open(steps, "Two");
    run(duplicateBlock);
    expect(text()).toBe("Before.\n\n1. One\n2. Two\n3. Two\n4. Three\n\nAfter.\n");
    run(deleteBlock);
    expect(text()).toBe(steps);
    run(addBlockBelow);
    type("New");
    expect(text()).toContain("New");
    expect(text()).toMatch(/^\d\. New$/m);
  });

  it("leaves an empty text when the only block goes, and no empty list", async () => {
    const list = await open("1. One\n");
    list.run(deleteBlock);
    expect(list.text()).toBe("");
    list.type("Again");
    expect(list.text()).toBe("Again\n");
  });
});

describe("a table", () => {
  const table = "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n";

  it("moves rows below its head and columns", async () => {
    const { run, text } = await open(table, "3");
    expect(run(moveRow(-1))).toBe(true);
    expect(text()).toBe("| A | B |\n| --- | --- |\n| 3 | 4 |\n| 1 | 2 |\n");
    expect(run(moveRow(-1))).toBe(false);
    expect(run(moveColumn(1))).toBe(true);
    expect(text()).toBe("| B | A |\n| --- | --- |\n| 4 | 3 |\n| 2 | 1 |\n");
    expect(run(moveColumn(1))).toBe(false);
  });

  it("never moves its head", async () => {
    const { run, text } = await open(table, "A");
    expect(run(moveRow(1))).toBe(false);
    expect(text()).toBe(table);
  });
});
