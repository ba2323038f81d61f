/** A page with ProseMirror alone: the same text, no plugins but its keys. The peer of `bench web:typing`. */
import { baseKeymap } from "@milkdown/kit/prose/commands";
import { keymap } from "@milkdown/kit/prose/keymap";
import { DOMParser, Schema, type NodeSpec } from "@milkdown/kit/prose/model";
import { EditorState } from "@milkdown/kit/prose/state";
import { EditorView } from "@milkdown/kit/prose/view";

const block = (tag: string, content: string): NodeSpec => ({
  content,
  group: "block",
  parseDOM: [{ tag }],
  toDOM: () => [tag, 0],
});
const part = (tag: string, content: string): NodeSpec => ({ content, parseDOM: [{ tag }], toDOM: () => [tag, 0] });

const schema = new Schema({
  nodes: {
    doc: { content: "block+" },
    paragraph: block("p", "inline*"),
    heading: block("h2", "inline*"),
    alert: block("div", "block+"),
    ordered: block("ol", "item+"),
    bullets: block("ul", "item+"),
    item: part("li", "block+"),
    table: block("table", "row+"),
    row: part("tr", "cell+"),
    cell: { ...part("td", "block+"), parseDOM: [{ tag: "td" }, { tag: "th" }] },
    text: { group: "inline" },
  },
  marks: { strong: { parseDOM: [{ tag: "strong" }], toDOM: () => ["strong", 0] } },
});

const html = document.createElement("div");
html.innerHTML = document.querySelector("template")?.innerHTML ?? "";
const view = new EditorView(document.body, {
  state: EditorState.create({ doc: DOMParser.fromSchema(schema).parse(html), plugins: [keymap(baseKeymap)] }),
});
view.focus();
