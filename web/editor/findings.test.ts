import { editorViewCtx } from "@milkdown/kit/core";
import type { Schema } from "@milkdown/kit/prose/model";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { lintText } from "#core/lint/engine.ts";
import { applyEdits } from "#core/lint/edits.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { createEditor, createSchema } from "./create-editor.ts";
import { readEditorDocument } from "./document.ts";
import { editorRangesOfFindings } from "./finding-places.ts";
import { markFindings, moveToNextFinding, type FindingsToShow, type CheckFinding } from "./findings.ts";
import { linesChangedByFix, textWithFix } from "./apply-fix.ts";

let schema: Schema;
beforeAll(async () => {
  schema = await createSchema(document.createElement("div"));
});

/** An issue on these words, at their `nth` place in the source. */
function findingOn(markdown: string, words: string, nth = 0): CheckFinding {
  let start = markdown.indexOf(words);
  for (let step = 0; step < nth; step += 1) start = markdown.indexOf(words, start + 1);
  expect(start).toBeGreaterThanOrEqual(0);
  const place = (offset: number) => {
    const before = markdown.slice(0, offset).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  };
  const end = place(start + words.length);
  return {
    ...place(start),
    rule: "test/words",
    severity: "warning",
    message: words,
    endLine: end.line,
    endColumn: end.column,
    stops: false,
  };
}

function marked(markdown: string, ...found: CheckFinding[]): (string | null)[] {
  const doc = readEditorDocument(schema, markdown);
  return editorRangesOfFindings(doc, markdown, found).map((place) =>
    place === null
      ? null
      : place.isNode
        ? `<${doc.nodeAt(place.from)?.type.name}>`
        : doc.textBetween(place.from, place.to, "¶", (leaf) => `<${leaf.type.name}>`),
  );
}

describe("a finding's place in the editor", () => {
  it.each([
    ["## Purpose\n\nDo **it now** please.\n", "it now", "it now"],
    ["Do **it _now_** please.\n", "**it _now_** please", "it now please"],
    ["> [!WARNING]\n> Hot plate\n> and steam.\n", "steam", "steam"],
    ["> [!WARNING]\n>\n> Apart words.\n", "Apart", "Apart"],
    ["> said\n> twice\n", "twice", "twice"],
    ["1. one\n2. two\n   - TODO here\n", "TODO", "TODO"],
    ["- [ ] check it\n- [x] done it\n", "done", "done"],
    ["| A | B |\n| --- | --- |\n| one | two TBD |\n", "TBD", "TBD"],
    ["Write \\*stars\\* and a_b, AT&amp;T is here.\n", "T is", "T is"],
    ["Press <kbd>Enter</kbd> then TODO.\n", "TODO", "TODO"],
    ["one\\\ntwo TODO\n", "TODO", "TODO"],
    ["| A |\n| --- |\n| one<br>TODO |\n", "TODO", "TODO"],
    ["See [the manual](https://example.org) TODO.\n", "the manual", "the manual"],
    ["Use `ls -la` TODO.\n", "TODO", "TODO"],
    ["Note[^1] TODO.\n\n[^1]: The TBC note.\n", "TBC", "TBC"],
    ["See [the text][ref] TODO.\n\n[ref]: https://example.org\n", "TODO", "TODO"],
    ["Look ![](/api/assets/a.png) here.\n", "![](/api/assets/a.png)", "<image>"],
    ["```sh\nTODO\n```\n", "TODO", "<code_block>"],
    ["<div>\n\nText TODO.\n", "TODO", "TODO"],
    ["## Steps\n\n1. one\n2. two\n", "1. one\n2. two", "one"],
    ["## Steps\n\nText.\n", "## ", "Steps"],
    ["> [!warning]\n> Hot.\n", "[!warning]", "Hot."],
  ])("%j: %j is %j", (text, words, shown) => {
    const markdown = formatMarkdown(text);
    expect(marked(markdown, findingOn(markdown, words))).toEqual([shown]);
  });

  it("is none for text in no line, or behind the end", () => {
    const found = findingOn("Text.\n", "Text");
    expect(marked("Text.\n", { ...found, line: 0 }, { ...found, line: 9, endLine: 9 })).toEqual([null, null]);
  });

  it("is none in a block that says something else, and right in the others", () => {
    const markdown = "One TODO.\n\nTwo TODO.\n";
    const doc = readEditorDocument(schema, "One TODO.\n\nAnother.\n");
    const places = editorRangesOfFindings(doc, markdown, [findingOn(markdown, "TODO"), findingOn(markdown, "TODO", 1)]);
    expect(places.map((place) => place && doc.textBetween(place.from, place.to))).toEqual(["TODO", null]);
  });

  it("skips empty paragraphs, and spaces at an end", () => {
    const markdown = "One TODO.\n\nTwo TBD.\n";
    const doc = schema.node("doc", null, [
      schema.node("paragraph", null, [schema.text("One TODO. ")]),
      schema.node("paragraph"),
      schema.node("paragraph", null, [schema.text("Two TBD.")]),
    ]);
    const places = editorRangesOfFindings(doc, markdown, [findingOn(markdown, "TODO"), findingOn(markdown, "TBD")]);
    expect(places.map((place) => place && doc.textBetween(place.from, place.to))).toEqual(["TODO", "TBD"]);
  });

  it("is the word itself, with any text around it", () => {
    const around = fc.constantFrom(
      "a",
      "*b*",
      "**c d**",
      "`e`",
      "<br>",
      "[f](g)",
      "&amp;",
      "\\*",
      "<sub>2</sub>",
      "h\ni",
    );
    const block = fc.tuple(
      fc.constantFrom("", "## ", "- ", "1. ", "> ", "> [!NOTE]\n> ", "- [ ] "),
      fc.array(around, { maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 2 }), block, (others, [prefix, words]) => {
        const blocks = [...others, [prefix, [...words, "needle", ...words]] as const];
        const text = blocks
          .map(([open, parts]) => (open + parts.join(" ")).replaceAll("\n", open.startsWith(">") ? "\n> " : " "))
          .join("\n\n");
        const markdown = formatMarkdown(text);
        fc.pre(markdown.includes("needle"));
        expect(marked(markdown, findingOn(markdown, "needle"))).toEqual(["needle"]);
      }),
      { numRuns: 80 },
    );
  });

  it("is found for nearly all that the rules find in a text with everything", () => {
    const markdown = formatMarkdown(
      "## Purpose\n\nTODO as needed.\n\n## Procedure\n\n1. The valve is opened, then close it.\n2. TBD\n\n> [!WARNING]\n> Hot.\n\n" +
        "| A | B |\n| --- | --- |\n| ![](x.png) | etc. |\n\n## Empty\n",
    );
    const found = lintText(markdown, { path: "x.md", preset: "recommended" }).map((one) => ({ ...one, stops: false }));
    const inText = found.filter(({ rule }) => !rule.startsWith("meta/") && rule !== "struct/sections");
    expect(inText.length).toBeGreaterThan(4);
    expect(inText.filter((_, index) => marked(markdown, ...inText)[index] === null).map(({ rule }) => rule)).toEqual(
      [],
    );
  });
});

const nothing = () => {};
let close: () => unknown = nothing;
afterEach(async () => {
  await close();
  close = nothing;
});

describe("marks", () => {
  const text = "One TODO.\n\nTwo TBD.\n";
  const found: CheckFinding[] = [findingOn(text, "TODO"), { ...findingOn(text, "TBD"), severity: "error" }];

  async function show(markdown = text, both = found) {
    const requested: (FindingsToShow | null)[] = [];
    const events = { onReady: nothing, onEdit: nothing, onPause: nothing, onToolbar: nothing, onFailed: nothing };
    const editor = await createEditor(
      document.body,
      markdown,
      {},
      {
        ...events,
        onBlockMenu: nothing,
        onMentionMenu: nothing,
        findMentions: () => Promise.resolve([]),
        onOpenDialog: nothing,
        onFinding: (one) => requested.push(one),
        upload: () => Promise.reject(new Error("no pictures here")),
      },
    ).create();
    close = () => editor.destroy();
    const view = editor.ctx.get(editorViewCtx);
    const checked = { markdown, findings: both };
    markFindings(view, checked, editorRangesOfFindings(view.state.doc, markdown, both));
    const shown = () => [...view.dom.querySelectorAll(".finding")].map((one) => `${one.className}: ${one.textContent}`);
    return { view, shown, requested };
  }

  it("stand in the text by how grave they are, and move with it", async () => {
    const { view, shown } = await show();
    const all = ["finding finding-warning: TODO", "finding finding-error: TBD"];
    expect(shown()).toEqual(all);
    view.dispatch(view.state.tr.insertText("Before. ", 1));
    expect(shown()).toEqual(all);
    view.dispatch(view.state.tr.delete(1, view.state.doc.child(0).nodeSize - 1));
    expect(shown()).toEqual(all.slice(1));
    markFindings(view, { markdown: "", findings: [] }, []);
    expect(shown()).toEqual([]);
  });

  it("are walked by F8 and Shift+F8, round and round", async () => {
    const { view, requested } = await show();
    const press = (shiftKey: boolean) => {
      const event = new KeyboardEvent("keydown", { key: "F8", shiftKey });
      expect(view.someProp("handleKeyDown", (handle) => handle(view, event))).toBe(true);
      return requested.at(-1)?.findings.map(({ message }) => message);
    };
    expect([press(false), press(false), press(false)]).toEqual([["TODO"], ["TBD"], ["TODO"]]);
    expect([press(true), press(true)]).toEqual([["TBD"], ["TODO"]]);
    expect(requested.at(-1)).toMatchObject({ markdown: text, by: "key" });
    view.dispatch(view.state.tr.insertText("x"));
    expect(requested.at(-1)).toBeNull();
    markFindings(view, { markdown: "", findings: [] }, []);
    expect(moveToNextFinding(view, 1)).toBeNull();
  });

  it("are walked by a key that goes no further: toasts listen to F8 on the page", async () => {
    const { view, requested } = await show();
    const heard: string[] = [];
    const listen = ({ key }: KeyboardEvent) => void heard.push(key);
    document.addEventListener("keydown", listen);
    for (const key of ["F8", "F9"]) {
      view.dom.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
    document.removeEventListener("keydown", listen);
    expect([requested.length, heard]).toEqual([1, ["F9"]]);
  });

  it("open under a pointer that moves there, not under one that rests while the text goes by", async () => {
    const { view, requested } = await show();
    vi.useFakeTimers();
    const over = (type: string) => {
      view.dom.querySelector(".finding")?.dispatchEvent(new MouseEvent(type, { bubbles: true }));
      vi.advanceTimersByTime(1000);
      return requested.at(-1)?.by;
    };
    expect([over("mouseover"), over("pointermove")]).toEqual([undefined, "hover"]);
    vi.useRealTimers();
  });

  it("are walked back from a block as a whole too", async () => {
    const code = "One TODO.\n\n```\nTBD\n```\n";
    const { view } = await show(code, [findingOn(code, "TODO"), findingOn(code, "TBD")]);
    const says = (step: 1 | -1) => moveToNextFinding(view, step)?.findings[0]?.message;
    expect([says(1), says(1), says(-1), says(-1), says(-1)]).toEqual(["TODO", "TBD", "TODO", "TBD", "TODO"]);
  });
});

describe("a fix", () => {
  const checked = "One\n\nTwo TODO\n\nThree\n";
  const at = checked.indexOf("TODO");
  const finding: CheckFinding = {
    ...findingOn(checked, "TODO"),
    fix: { safe: true, edits: [{ start: at, end: at + 4, text: "done" }] },
  };

  it.each([
    [checked, "One\n\nTwo done\n\nThree\n"],
    ["One more\n\nTwo TODO\n\nThree\n", "One more\n\nTwo done\n\nThree\n"],
    ["One\n\nTwo TODO\n\nThree and four\n", "One\n\nTwo done\n\nThree and four\n"],
    ["Zero\n\nOne\n\nTwo TODO\n\nThree\n", "Zero\n\nOne\n\nTwo done\n\nThree\n"],
    ["One\n\nTwo TODO!\n\nThree\n", null],
    ["One\n\nOr two TODO\n\nThree\n", null],
    ["One\n\nTwo\n\nThree\n", null],
    ["One!\n\nTwo TODO\n\nThree!\n", null],
    ["", null],
  ])("in %j makes %j", (now, after) => {
    expect(textWithFix(now, checked, finding)).toBe(after);
  });

  it("that may be wrong is made in the checked text alone", () => {
    const unsafe: CheckFinding = { ...finding, fix: { safe: false, edits: finding.fix?.edits ?? [] } };
    expect(textWithFix(checked, checked, unsafe)).toBe("One\n\nTwo done\n\nThree\n");
    expect(textWithFix(`Zero\n\n${checked}`, checked, unsafe)).toBeNull();
  });

  it("that is none changes nothing", () => {
    const { fix: _, ...without } = finding;
    expect(textWithFix(checked, checked, without)).toBeNull();
  });

  it.each([
    [
      "1. Stop it and open it.\n2. Wait.\n",
      10,
      16,
      ".\n2. O",
      ["1. Stop it and open it."],
      ["1. Stop it.", "2. Open it."],
    ],
    ["A\n\nB\n\nC\n", 6, 6, "New\n\n", [], ["New"]],
  ])("a change of %j is described by its lines: %i to %i %j", (text, start, end, put, before, after) => {
    const renumber = text.startsWith("1.") ? [{ start: 24, end: 25, text: "3" }] : [];
    const fix = { safe: false, edits: [{ start, end, text: put }, ...renumber] };
    expect(linesChangedByFix(text, { ...finding, fix })).toEqual({ before, after });
  });

  it("a change that only moves lines is described by those", () => {
    const edits = [
      { start: 0, end: 0, text: "> Hot\n\n" },
      { start: 7, end: 14, text: "" },
    ];
    expect(linesChangedByFix("1. Do\n\n> Hot\n", { ...finding, fix: { safe: false, edits } })).toEqual({
      before: [],
      after: ["> Hot"],
    });
  });

  it("is made in lines that are the same, or not at all", () => {
    const lines = fc.array(fc.constantFrom("a", "b TODO", "c", ""), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const text = `${before.join("\n")}\n`;
        const start = text.indexOf("TODO");
        fc.pre(start >= 0);
        const edits = [{ start, end: start + 4, text: "done" }];
        const now = `${after.join("\n")}\n`;
        const next = textWithFix(now, text, { ...finding, fix: { safe: true, edits } });
        if (next === null) return;
        expect(next.split("\n").filter((line) => line === "b done").length).toBe(1);
        expect(next.replace("done", "TODO")).toBe(now);
        if (now === text) expect(next).toBe(applyEdits(text, edits));
      }),
      { numRuns: 200 },
    );
  });
});
