import { editorViewCtx } from "@milkdown/kit/core";
import { TextSelection } from "@milkdown/kit/prose/state";
import { afterEach, describe, expect, it } from "vitest";
import { beginSteps } from "./blanks.ts";
import { createEditor } from "./create-editor.ts";
import { writeDocument } from "./document.ts";

const nothing = () => {};
let close: () => unknown = nothing;
afterEach(async () => {
  await close();
});

async function open(markdown: string) {
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
      onMentionMenu: nothing,
      findMentions: () => Promise.resolve([]),
      onOpenDialog: nothing,
      upload: () => Promise.reject(new Error("no pictures here")),
    },
  ).create();
  close = () => editor.destroy();
  const view = editor.ctx.get(editorViewCtx);
  return {
    view,
    text: () => writeDocument(view.state.doc),
    hints: () => [...view.dom.querySelectorAll<HTMLElement>("[data-hint]")].map(({ dataset }) => dataset["hint"]),
    clickAt: (pos: number, shiftKey = false) =>
      view.someProp("handleClick", (handle) => handle(view, pos, new MouseEvent("click", { shiftKey }))) === true,
    selected: () => view.state.doc.textBetween(view.state.selection.from, view.state.selection.to),
  };
}

describe("what is still to be written", () => {
  it("shows hints in an empty warning and empty steps, and writes none of them", async () => {
    const { view, text, hints } = await open("");
    beginSteps(view.state, view.dispatch);
    expect(hints()).toEqual(["What can go wrong", "First step", "Next step"]);
    expect(view.dom.textContent).toBe("Warning");
    expect(text()).toBe("1.\n2.\n");
    view.dispatch(view.state.tr.insertText("Hot steam"));
    expect(hints()).toEqual(["First step", "Next step"]);
    expect(text()).toBe("> [!WARNING]\n> Hot steam\n\n1.\n2.\n");
  });

  it("shows hints in an empty heading, box and head of a table only", async () => {
    const { hints, text } = await open("##\n\n- \n\n| | B |\n| --- | --- |\n| | |\n");
    expect(hints()).toEqual(["Heading", "Column"]);
    expect(text()).not.toContain("Column");
  });

  it("names the key for pictures and warnings in the empty paragraph or step with the caret", async () => {
    const { view, hints, text } = await open("Words.\n\n1. One\n2.\n");
    const caretAt = (pos: number) =>
      view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, pos)));
    expect(hints()).toEqual(["Next step"]);
    caretAt(view.state.doc.content.size - 3);
    expect(hints()).toEqual(["Next step, or / for a picture above"]);
    caretAt(1);
    expect(hints()).toEqual(["Next step"]);
    view.dispatch(view.state.tr.insert(0, view.state.schema.nodes["paragraph"]?.create() ?? []));
    caretAt(1);
    expect(hints()).toEqual(["Type / for pictures, warnings…", "Next step"]);
    expect(text()).not.toContain("Type");
  });

  it("selects a blank of the text whole by a click, and typing replaces it", async () => {
    const { view, clickAt, selected, text } = await open(
      "Wait [confirm: how long], then [see](https://example.org).\n",
    );
    expect(view.dom.querySelector(".editor-blank")?.textContent).toBe("[confirm: how long]");
    expect(clickAt(12)).toBe(true);
    expect(selected()).toBe("[confirm: how long]");
    // the second click puts the caret in it
    expect(clickAt(12)).toBe(false);
    view.dispatch(view.state.tr.insertText("5 minutes"));
    expect(text()).toBe("Wait 5 minutes, then [see](https://example.org).\n");
    expect(view.dom.querySelector(".editor-blank")).toBeNull();
  });

  it.each(["`[insert name]`\n", "```\n[insert name]\n```\n", "Plain words.\n"])(
    "leaves a click alone in %j",
    async (is) => {
      const { view, clickAt } = await open(is);
      view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 1)));
      expect(clickAt(4)).toBe(false);
      expect(clickAt(4, true)).toBe(false);
    },
  );
});
