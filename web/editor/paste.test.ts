/** Copies from Word, Google Docs and web pages, as these put them on the clipboard. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { editorViewCtx } from "@milkdown/kit/core";
import { undo } from "@milkdown/kit/prose/history";
import { NodeSelection, Selection, TextSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { waitUntilPasses } from "../testing/eventually.ts";
import { createEditor } from "./create-editor.ts";
import { writeDocument } from "./document.ts";
import { insertFiles, type AddedImage } from "./images.ts";
import { loadPasteCleaner } from "./paste.ts";
import { setImageProperties, moveCaretBehindImage } from "./image-properties.ts";
import { texts } from "./texts.ts";

const nothing = () => {};
let close: () => unknown = nothing;
afterEach(async () => {
  await close();
});

async function open(
  markdown = "",
  onFailed: (message: string) => void = nothing,
  onPasteChanged: (lines: readonly string[]) => void = nothing,
) {
  const editor = await createEditor(
    document.body,
    markdown,
    {},
    {
      onReady: nothing,
      onEdit: nothing,
      onPause: nothing,
      onToolbar: nothing,
      onFailed,
      onPasteChanged,
      onFinding: nothing,
      onBlockMenu: nothing,
      onMentionMenu: nothing,
      findMentions: () => Promise.resolve([]),
      onOpenDialog: nothing,
      upload: () => Promise.reject(new Error("no pictures here")),
    },
  ).create();
  close = () => editor.destroy();
  return editor.ctx.get(editorViewCtx);
}

async function pasted(html: string): Promise<string> {
  const view = await open();
  const event = Object.assign(new Event("paste"), {
    clipboardData: { getData: (type: string) => (type === "text/html" ? html : "") },
  });
  view.pasteHTML(html, event as unknown as ClipboardEvent);
  return writeDocument(view.state.doc);
}

beforeAll(loadPasteCleaner);
// jsdom has none
beforeAll(() => void vi.stubGlobal("ClipboardEvent", Event));

const file = (name: string) => readFileSync(path.join(import.meta.dirname, "pasted", name), "utf8");

describe("pasted from Word", () => {
  it("comes as headings, real lists, bold words and a table; comments and deleted words stay away", async () => {
    expect(await pasted(file("word.html"))).toBe(file("word.md"));
  });
});

describe("pasted from Google Docs", () => {
  it("comes as headings, nested lists, checklists, bold words and a table", async () => {
    expect(await pasted(file("docs.html"))).toBe(file("docs.md"));
  });
});

describe("pasted", () => {
  const cases = path.join(import.meta.dirname, "../../test/faithful/cases");

  it.each([
    "p01-word-clipboard",
    "p02-gdocs-clipboard",
    "p03-office-softbreak",
    "m13-bare-markers",
    "html/outlook",
    "html/excel",
    "html/libreoffice",
  ])("%s becomes the text that API and import make of it", async (name) => {
    const html = readFileSync(path.join(cases, `${name}.html`), "utf8");
    const text = readFileSync(path.join(cases, "html", `${path.basename(name)}.md`), "utf8");
    // The editor has no blank lines between items.
    const lines = (markdown: string) => markdown.split("\n").filter((line) => line !== "");
    expect(lines(await pasted(html))).toEqual(lines(text));
  });

  it("has lists and merged cells as lines and empty cells", async () => {
    const markdown = await pasted(readFileSync(path.join(cases, "w06-page.html"), "utf8"));
    expect(markdown).toContain(
      "### Line A Line B\n\n| Step | Check |\n| --- | --- |\n| **Alarm**<br>_red lamp_ | • 12 Nm<br>• 8 bar |\n| Stop<br>Wait<br>Go | 20~25 °C<br>a \\| b |\n",
    );
    expect(markdown).toContain("4. Fourth\n   1. sub\n5. Fifth\n");
    const wiki = await pasted(readFileSync(path.join(cases, "w07-confluence.xml"), "utf8"));
    expect(wiki).toContain("| Limits | |\n| --- | --- |\n| Oil | • 40 l<br>• 60 °C |\n| | blue |\n");
    expect(wiki).toContain("> [!CAUTION]\n");
  });
});

describe("pasted from a web page", () => {
  it.each([
    ["<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b\n"],
    [
      '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked> done</li></ul>',
      "- [x] done\n",
    ],
    ["<table><tr><td>A</td><td>B</td></tr><tr><td>1</td></tr></table>", "| A | B |\n| --- | --- |\n| 1 | |\n"],
    [
      "<table><caption>Limits</caption><thead><tr><th>A</th></tr></thead><tbody><tr><td><table><tr><td>x</td><td>y</td></tr></table></td></tr></tbody></table>",
      "Limits\n\n| A |\n| --- |\n| x · y |\n",
    ],
    [
      "<h1>Title</h1><h5>Deep</h5><p>Text</p><hr><blockquote><p>said</p></blockquote>",
      "## Title\n\n##### Deep\n\nText\n\n---\n\n> said\n",
    ],
    ["<pre><code>ls -la\ncd ..</code></pre>", "```\nls -la\ncd ..\n```\n"],
    ["<p>Press <kbd>Enter</kbd>, H<sub>2</sub>O<br>next</p>", "Press <kbd>Enter</kbd>, H<sub>2</sub>O\\\nnext\n"],
    [
      "<p><u>underlined</u> <font color=red>red</font> <span style='background:yellow'>marked</span></p>",
      "underlined red marked\n",
    ],
  ])("%j is %j", async (html, markdown) => {
    expect(await pasted(html)).toBe(markdown);
  });

  it.each([
    ["Do this:<ul><li>one</li></ul>after", "Do this:<br>• one<br>after"],
    ["<ul><li>Wipe<ul><li>rim</li></ul>dry</li></ul>", "• Wipe<br>• rim<br>dry"],
    ["<ol start=3><li>a</li><ol><li>b</li></ol><li><p>c</p><p>d</p></li></ol>", "3. a<br>1. b<br>4. c<br>d"],
    [
      "<p>The valve</p><p><img src='https://a.example/v.png' alt='V2'></p>",
      "The valve<br>![V2](https://a.example/v.png)",
    ],
    [
      "<a href='https://a.example'><div>one</div><div>two</div></a>",
      "[one](https://a.example)<br>[two](https://a.example)",
    ],
    ["<ul><li>a</li><br><ul><li>b</li></ul></ul>", "• a<br>• b"],
    ["a<br><p>b</p><br>c", "a<br>b<br>c"],
    [
      "<table><caption>In</caption><tr><td>a<br>b</td><td><img src='https://a.example/v.png'></td></tr></table>",
      "In<br>a b · ![](https://a.example/v.png)",
    ],
  ])("keeps all of the cell %j", async (cell, line) => {
    const markdown = await pasted(`<table><tr><th>Head</th></tr><tr><td>${cell}</td></tr></table>`);
    expect(markdown).toBe(`| Head |\n| --- |\n| ${line} |\n`);
  });

  it("keeps every word of a cell at any nesting", async () => {
    const view = await open();
    const { nest } = fc.letrec((again) => {
      const inside = fc
        .array(again("nest") as fc.Arbitrary<string>, { minLength: 1, maxLength: 2 })
        .map((all) => all.join(""));
      return {
        nest: fc.oneof(
          { maxDepth: 3, withCrossShrink: true },
          fc.constantFrom(" WORD ", " WORD ", "<br>", " "),
          fc
            .tuple(fc.constantFrom("p", "div", "span", "b", "section"), inside)
            .map(([name, all]) => `<${name}>${all}</${name}>`),
          fc
            .tuple(fc.constantFrom("ul", "ol"), inside, inside)
            .map(([name, one, two]) => `<${name}><li>${one}</li>${two}<li>${two}</li></${name}>`),
          inside.map((all) => `<table><caption> WORD </caption><tr><td>${all}</td><td> WORD </td></tr></table>`),
        ),
      };
    });
    fc.assert(
      fc.property(nest, nest, (one, two) => {
        let count = 0;
        const cell = `${one}${two}`.replaceAll("WORD", () => `w${(count += 1)}`);
        view.dispatch(view.state.tr.delete(0, view.state.doc.content.size));
        view.pasteHTML(
          `<table><tr><td>head</td></tr><tr><td>${cell}</td></tr></table>`,
          new Event("paste") as ClipboardEvent,
        );
        const words = writeDocument(view.state.doc).match(/w\d+\b/g) ?? [];
        expect(new Set(words)).toEqual(new Set(Array.from({ length: count }, (_, index) => `w${index + 1}`)));
      }),
      { numRuns: 30 },
    );
  });

  it("is one step of undo", async () => {
    const view = await open("Before\n");
    view.pasteHTML("<h2>A</h2><p>b</p>", new Event("paste") as ClipboardEvent);
    undo(view.state, view.dispatch);
    expect(writeDocument(view.state.doc)).toBe("Before\n");
  });
});

describe("a picture that is added", () => {
  const file = () => new File(["x"], "IMG_0042.png", { type: "image/png" });
  async function add(count: number, meanwhile: (view: EditorView) => void = () => {}) {
    const view = await open("Before\n");
    let answer = (): void => {};
    const uploaded = new Promise<void>((resolve) => (answer = resolve));
    const requested: string[] = [];
    const options = {
      upload: () => uploaded.then(() => ({ url: "/x.png" })),
      onFailed: (message: string) => requested.push(message),
      onImageAdded: ({ at, state }: AddedImage) => {
        requested.push(state.doc.nodeAt(at)?.type.name ?? "");
        expect([view.state, state.selection instanceof TextSelection]).toEqual([state, true]);
      },
    };
    insertFiles(view, Array.from({ length: count }, file), 7, options);
    meanwhile(view);
    answer();
    await waitUntilPasses(() => expect(writeDocument(view.state.doc).split("![](/x.png)")).toHaveLength(count + 1));
    return requested;
  }

  it("is not selected, as a letter would take its place, and its words are asked for: a file's name is none", async () => {
    expect(await add(1)).toEqual(["image"]);
  });

  it("leaves the focus of a user who kept writing, here or in another field", async () => {
    expect(await add(1, (view) => view.dispatch(view.state.tr.insertText("!", 7)))).toEqual([]);
    const end = (view: EditorView) => TextSelection.create(view.state.doc, 3);
    expect(await add(1, (view) => view.dispatch(view.state.tr.setSelection(end(view))))).toEqual([]);
    const field = document.body.appendChild(document.createElement("input"));
    expect(await add(1, () => field.focus())).toEqual([]);
    field.remove();
  });

  it("asks nothing with others beside it", async () => {
    expect(await add(2)).toEqual([]);
  });
});

it("a PDF that is added is a link of its name", async () => {
  const view = await open("Before\n\nAfter\n");
  const told: string[] = [];
  const options = {
    upload: async () => ({ url: "/api/assets/0a.pdf" }),
    onFailed: (message: string) => told.push(message),
    onImageAdded: () => told.push("asked"),
  };
  insertFiles(view, [new File(["x"], "Form [7].pdf", { type: "application/pdf" })], 7, options);
  await waitUntilPasses(() =>
    expect(writeDocument(view.state.doc)).toBe("Before[Form [7].pdf](/api/assets/0a.pdf)\n\nAfter\n"),
  );
  expect(told).toEqual([]);
});

describe("an image in a numbered step", () => {
  const image = "![](/api/assets/0a.png)";

  it.each([
    ["at the end of its words, on a line of its own", "1. One\n2. Two\n", 6, 1, `1. One\n\n   ${image}\n2. Two\n`],
    ["from a new, empty step, into the step before", "1. One\n2.\n3. Two\n", 10, 1, `1. One\n\n   ${image}\n2. Two\n`],
    ["between its words, where it was meant to go", "1. One\n", 4, 1, `1. O${image}ne\n`],
    ["several of them, in their order", "1. One\n2.\n", 10, 2, `1. One\n\n   ${image}\n\n   ![](/api/assets/0b.png)\n`],
  ])("goes %s", async (_, markdown, at, count, expected) => {
    const view = await open(markdown);
    const urls = ["/api/assets/0a.png", "/api/assets/0b.png"];
    const options = { upload: () => Promise.resolve({ url: urls.shift() ?? "" }), onFailed: nothing };
    const files = Array.from({ length: count }, () => new File(["x"], "pump.png", { type: "image/png" }));
    insertFiles(view, files, at, options);
    await waitUntilPasses(() => expect(writeDocument(view.state.doc)).toBe(expected));
    undo(view.state, view.dispatch);
    expect(writeDocument(view.state.doc)).not.toContain("assets");
  });
});

it("leaves the last, empty step below an image, to go on in once the image is described", async () => {
  const view = await open("1. One\n2.\n");
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 10)));
  const placed: AddedImage[] = [];
  const options = {
    upload: () => Promise.resolve({ url: "/x.png" }),
    onFailed: nothing,
    onImageAdded: (one: AddedImage) => placed.push(one),
  };
  insertFiles(view, [new File(["x"], "pump.png", { type: "image/png" })], null, options);
  await waitUntilPasses(() => expect(placed).toHaveLength(1));
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, placed[0]?.at ?? 0)));
  setImageProperties({ alt: "A pump", width: null, caption: "" })(view.state, view.dispatch);
  moveCaretBehindImage(view.state, view.dispatch);
  expect(writeDocument(view.state.doc)).toBe("1. One\n\n   ![A pump](/x.png)\n");
  view.dispatch(view.state.tr.insertText("Two"));
  expect(writeDocument(view.state.doc)).toBe("1. One\n\n   ![A pump](/x.png)\n2. Two\n");
});

it("goes on in the step below an image in the middle of a list", async () => {
  const view = await open("1. One\n2.\n3. Two\n");
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 10)));
  const placed: AddedImage[] = [];
  const options = {
    upload: () => Promise.resolve({ url: "/x.png" }),
    onFailed: nothing,
    onImageAdded: (one: AddedImage) => placed.push(one),
  };
  insertFiles(view, [new File(["x"], "pump.png", { type: "image/png" })], null, options);
  await waitUntilPasses(() => expect(placed).toHaveLength(1));
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, placed[0]?.at ?? 0)));
  moveCaretBehindImage(view.state, view.dispatch);
  view.dispatch(view.state.tr.insertText("Then "));
  expect(writeDocument(view.state.doc)).toBe("1. One\n\n   ![](/x.png)\n2. Then Two\n");
});

it("says why the server refuses an image", async () => {
  const view = await open("Before\n");
  const told: string[] = [];
  const message = "The image has 81 million pixels; the limit is 40 million";
  const refusal = new ApiError(413, JSON.stringify({ code: "too_large", message }), "");
  const options = { upload: () => Promise.reject(refusal), onFailed: (text: string) => told.push(text) };
  insertFiles(view, [new File(["x"], "pump.png", { type: "image/png" })], 7, options);
  await waitUntilPasses(() => expect(told).toEqual([`pump.png: ${message}`]));
});

describe("a paste that a reader would read differently", () => {
  /** What is said of HTML that is pasted at the end of the text. */
  async function noted(html: string, markdown = ""): Promise<{ notes: string[]; text: string }> {
    const notes: string[] = [];
    const view = await open(markdown, nothing, (lines) => notes.push(...lines));
    view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
    const clipboardData = { files: [], getData: (type: string) => (type === "text/html" ? html : "") };
    const before = view.state.doc;
    view.dom.dispatchEvent(Object.assign(new Event("paste"), { clipboardData }));
    await waitUntilPasses(() => expect(view.state.doc).not.toBe(before));
    return { notes, text: writeDocument(view.state.doc) };
  }

  it.each([
    ["<p>See <a href='javascript:x()'>it</a></p>", "an unsafe link target was removed: javascript:x()"],
    ["<p>Set <abbr title='clean in place'>CIP</abbr></p>", "the explanation of <abbr> was removed: clean in place"],
    ["<p>a</p><img src='file:///c:/v.png'>", texts.picturesLost({ count: 1 })],
    ["<ol type=a><li>Stop<li>Wait</ol>", "letters or Roman numbers of a list became numbers: Stop"],
    ["<pre>10<sup>2</sup> l</pre>", "raised or lowered text inside code became plain: 2"],
  ])("%s is named", async (html, line) => {
    expect((await noted(html)).notes).toContain(line);
  });

  it("has images of other servers as links, with one note", async () => {
    expect(await noted('<p>Open <img src="https://x.org/v.png" alt="valve"> now</p>')).toEqual({
      notes: ["an image that isn't stored here is shown as a link: https://x.org/v.png"],
      text: "Open ![valve](https://x.org/v.png) now\n",
    });
  });

  it("has the title of a part that opens apart from its words", async () => {
    expect(await noted("<details><summary>More</summary>5 bar</details><i>Stop</i>")).toEqual({
      notes: [],
      text: "More\n\n5 bar\n\n_Stop_\n",
    });
  });

  it("has the lines of a list in a cell", async () => {
    const html = "<p>One</p><ol start=3><li>a</li></ol><ul><li><input type=checkbox checked>b</li></ul><h2>c</h2>";
    expect(await noted(html, "| A |\n| --- |\n| x |\n")).toEqual({
      notes: [],
      text: "| A |\n| --- |\n| xOne<br>3. a<br>☒ b<br>c |\n",
    });
  });

  it("names a check box that goes when its words join a line", async () => {
    const { notes, text } = await noted("<ul><li><input type=checkbox checked>done</li></ul>", "Before\n");
    expect([text, notes]).toEqual(["Beforedone\n", ["check boxes: “☒” is missing near “done”"]]);
  });

  it("pastes the words of HTML that is nested too deeply, and says so", async () => {
    const html = `${"<div><blockquote>".repeat(3_000)}Stop at 80 °C`;
    const notes: string[] = [];
    const view = await open("", nothing, (lines) => notes.push(...lines));
    const data = { "text/html": html, "text/plain": "Stop at 80 °C" };
    const clipboardData = { files: [], getData: (type: keyof typeof data) => data[type] };
    view.dom.dispatchEvent(Object.assign(new Event("paste"), { clipboardData }));
    await waitUntilPasses(() => expect(notes).toEqual([texts.wordsAlone]));
    expect(writeDocument(view.state.doc)).toBe("Stop at 80 °C\n");
  });

  it.each([
    ["| A |\n| --- |\n| x |\n", "| A | |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n"],
    ["| A |\n| --- |\n", "| 1 | 2 |\n| --- | --- |\n| 3 | 4 |\n"],
  ])("cells pasted into the last cell of %j go over the cells there", async (markdown, text) => {
    const cells = "<table><tr><th>1</th><th>2</th></tr><tr><td>3</td><td>4</td></tr></table>";
    expect(await noted(cells, markdown)).toEqual({ notes: [], text });
  });

  const letters = "letters or Roman numbers of a list became numbers: ";
  it.each([
    ["p01-word-clipboard", [`${letters}Press Stop`]],
    ["p02-gdocs-clipboard", [`${letters}Press it.`]],
    ["p03-office-softbreak", []],
    ["m13-bare-markers", []],
    ["w06-page", [`${letters}sub`]],
    ["html/outlook", []],
    ["html/excel", []],
    ["html/libreoffice", [`${letters}hold 5 s`]],
  ])("%s is noted with what it lost alone", async (name, expected) => {
    const html = readFileSync(path.join(import.meta.dirname, "../../test/faithful/cases", `${name}.html`), "utf8");
    expect((await noted(html)).notes).toEqual(expected);
  });

  it.each([
    ["<p style='color:red'>Heat to <b>80 °C</b></p>", "Before\n"],
    ["<ul><li>one</li><li>two</li></ul>", "- a\n- b\n"],
    ["<ol><li>one</li><li>two</li></ol>", "1. a\n2. b\n"],
    ["<ol start=3><li>one</li></ol>", ""],
    ["<p>Wear <b>gloves</b>.</p>", "> [!WARNING]\n> Hot\n"],
    ["<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>", "Before\n"],
    ["<p>80 °C</p>", "| A |\n| --- |\n| x |\n"],
    ["<table><tr><td>1</td><td>2</td></tr></table>", "| A |\n| --- |\n| x |\n"],
    ["<h2>Scope</h2><p>All</p>", "## Head\n"],
    ["<ul><li><input type=checkbox checked>done</li></ul>", ""],
    ["<p>One</p><ul><li>a</li></ul>", "| A |\n| --- |\n| x |\n"],
  ])("%s into %j says nothing", async (html, markdown) => {
    expect(await noted(html, markdown)).toMatchObject({ notes: [] });
  });
});

describe("what is on its way when the editor closes", () => {
  const clipboard = (html: string, text: string) =>
    Object.assign(new Event("paste"), {
      clipboardData: { files: [], getData: (type: string) => ({ "text/html": html, "text/plain": text })[type] ?? "" },
    });

  it("announces the loss of a paste and of an image", async () => {
    const told: string[] = [];
    const view = await open("", (message) => told.push(message));
    view.dom.dispatchEvent(clipboard("<b>b</b>", "b"));
    const uploads = [Promise.resolve({ url: "/x.png" }), Promise.reject(new Error("gone"))];
    const options = {
      upload: () => uploads.shift() ?? Promise.reject(new Error("no more")),
      onFailed: (message: string) => told.push(message),
    };
    const file = new File(["x"], "valve.png", { type: "image/png" });
    insertFiles(view, [file, file], null, options);
    view.destroy();
    await waitUntilPasses(() => expect(told).toHaveLength(3));
    expect(told.toSorted()).toEqual(
      [
        texts.lost({ what: "valve.png" }),
        texts.lost({ what: "valve.png" }),
        texts.lost({ what: texts.pasted }),
      ].toSorted(),
    );
  });
});

describe("without the code that cleans what is pasted", () => {
  async function openWithout() {
    vi.resetModules();
    vi.doMock("./paste-html.ts", () => {
      throw new Error("no connection");
    });
    const { pastePlugin: paste } = await import("./paste.ts");
    const told: string[] = [];
    const view = await open();
    const plugin = paste({
      onFailed: (message) => told.push(message),
      upload: () => Promise.reject(new Error("none")),
    });
    const hear = plugin.props.handleDOMEvents as unknown as Record<string, (view: unknown, event: Event) => boolean>;
    return { view, told, hear };
  }
  const brought = (html: string, text: string) => ({
    files: [],
    getData: (type: string) => (type === "text/html" ? html : type === "text/plain" ? text : ""),
  });
  afterEach(() => {
    vi.doUnmock("./paste-html.ts");
    vi.resetModules();
  });

  it("pastes plain words, and announces HTML alone", async () => {
    const { view, told, hear } = await openWithout();
    hear["paste"]?.(view, Object.assign(new Event("paste"), { clipboardData: brought("<b>b</b>", "bold") }));
    await waitUntilPasses(() => expect(writeDocument(view.state.doc)).toBe("bold\n"));
    expect(told).toEqual([]);
    hear["paste"]?.(view, Object.assign(new Event("paste"), { clipboardData: brought("<b>b</b>", "") }));
    await waitUntilPasses(() => expect(told).toEqual([texts.notLoaded]));
  });

  it("a drop waits for it, and announces when it doesn't come", async () => {
    const { view, told, hear } = await openWithout();
    view.posAtCoords = () => ({ pos: 1, inside: 0 });
    const drop = Object.assign(new Event("drop", { cancelable: true }), {
      clientX: 1,
      clientY: 1,
      dataTransfer: brought("<b>b</b>", ""),
    });
    expect(hear["drop"]?.(view, drop)).toBe(true);
    expect(drop.defaultPrevented).toBe(true);
    await waitUntilPasses(() => expect(told).toEqual([texts.notLoaded]));
  });
});
