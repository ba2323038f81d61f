/** What is copied from Word, Google Docs and web pages, as they put it on the clipboard. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { editorViewCtx } from "@milkdown/kit/core";
import { undo } from "@milkdown/kit/prose/history";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createEditor } from "./create-editor.ts";
import { writeDocument } from "./document.ts";
import { loadCleaner } from "./paste.ts";

const nothing = () => {};
let close: () => unknown = nothing;
afterEach(async () => {
  await close();
});

async function open(markdown = "") {
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
      onAsked: nothing,
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

beforeAll(loadCleaner);

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

  it("is one step of undo", async () => {
    const view = await open("Before\n");
    view.pasteHTML("<h2>A</h2><p>b</p>", new Event("paste") as ClipboardEvent);
    undo(view.state, view.dispatch);
    expect(writeDocument(view.state.doc)).toBe("Before\n");
  });
});
