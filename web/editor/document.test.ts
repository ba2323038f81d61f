import { DOMParser, DOMSerializer, type Node, type Schema } from "@milkdown/kit/prose/model";
import { EditorState } from "@milkdown/kit/prose/state";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Nodes } from "mdast";
import { formatMarkdown, sameTree } from "#core/markdown/format.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { corpusFiles, textOf, type CorpusFile } from "../../test/corpus.ts";
import { measure, suites } from "../../test/dialects/suites.ts";
import { createSchema } from "./create-editor.ts";
import { isLossless, readEditorDocument, writeDocument } from "./document.ts";

let schema: Schema;
beforeAll(async () => {
  schema = await createSchema(document.createElement("div"));
});

/** Rebuilds every block from JSON, so that the editor's writer writes all of them, not the loaded source. */
const retyped = (doc: Node): Node => schemaOf().nodeFromJSON(JSON.parse(JSON.stringify(doc.toJSON())));
const schemaOf = () => schema;
/** Bold in italic or italic in bold, a bold link or a link in bold: the same to readers and to the editor. */
function flatMarks(node: Nodes): Nodes {
  if (!("children" in node)) return node;
  const children = node.children.map(flatMarks);
  const chain = [node.type];
  let inner = children;
  let [only] = inner;
  let link: Nodes | null = node.type === "link" ? node : null;
  while (inner.length === 1 && only && marks.includes(node.type) && marks.includes(only.type) && "children" in only) {
    if (only.type === "link") link = only;
    chain.push(only.type);
    inner = only.children;
    [only] = inner;
  }
  if (chain.length === 1) return { ...node, children } as Nodes;
  return { ...(link ?? node), type: chain.toSorted().join("+"), children: inner } as unknown as Nodes;
}
const marks = ["emphasis", "strong", "delete", "link"];
/** The numbers that the editor shows before the items of numbered lists, in their order. */
function numbersOf(doc: Node): string[] {
  const numbers: string[] = [];
  doc.descendants((node, _, parent, index) => {
    if (parent?.type.name === "ordered_list") numbers.push(String(Number(parent.attrs["order"]) + index));
  });
  return numbers;
}
const kinds = (doc: Node) => doc.children.map((child) => child.type.name);

const samples: Record<string, string> = {
  headings: "## Purpose\n\nText.\n\n### Scope\n\n#### Detail\n\n###### Deep\n",
  marks: "A **bold _both_ text**, _it_, `code`, ~~old~~ and _**all**_.\n",
  links: '[one **two** three](https://example.org "T") and [**in**](a.md), <https://example.org/x>, www.example.org\n',
  breaks: "one\\\ntwo\nthree<br>four<br/>five\n",
  lists: "- a\n- b\n  - c\n\n    d\n\n1. one\n2. two\n\n* other\n",
  startingList: "3. three\n4. four\n",
  looseList: "- a\n\n- b\n",
  itemOfCode: "- ```sh\n  ls\n  ```\n- > quote\n",
  emptyItem: "- a\n-\n- c\n",
  tasks: "- [ ] open\n- [x] done\n  - [ ] inner\n",
  table: "| A | B | C |\n| --- | :-: | --: |\n| 1<br>2 | **x** | `a \\| b` |\n|  | y |  |\n",
  tablePictures: "| A |\n| --- |\n| ![Valve\\|300](/api/assets/v.png) ![a \\| b](https://a.example/v.png) |\n",
  tableHead: "| A | B |\n| --- | --- |\n",
  alert: "> [!WARNING]\n> Hot **surface**.\n>\n> - wait\n\n> [!NOTE]\n>\n> Apart.\n\n> [!tip]\n> Lower case.\n",
  quote: "> said\n>\n> > twice\n",
  code: '```js title="x"\nlet a;\n```\n\n```\n```\n',
  rule: "a\n\n---\n\nb\n",
  html: "<details>\n<summary>More</summary>\n\nText <kbd>Enter</kbd> H<sub>2</sub>O\n\n</details>\n\n<!-- note -->\n",
  image: '![Alt](/api/assets/aa.png "T") and ![remote](https://example.org/x.png)\n',
  footnotes: "Text[^1].\n\n[^1]: The note.\n",
  references: 'See [the text][ref] and ![pic][ref].\n\n[ref]: https://example.org "T"\n',
  longReferences:
    "- see [the\n  long label] and [words][the\n  long label]\n\n> [!TIP]\n> in [the\n> long label], ![the\n> long label]\n\n[the long label]: /x\n",
  notesAfterWords: "[words][^1]\n\n[^1]: The note.\n",
  tagsThatOpenLines: "- a\n      <div>\n  <kbd>x</kbd>\n      </div>\n",
  addresses: "<https://a.example/x>'.replace('y')\n",
  numbers: "1. a\n2. b\n\n7) c\n   1. d\n   4) e\n\n30. f\n",
  escapes: "1\\. not a list, \\*stars\\*, a_b_c, 08:00, [x] y, #5 <enter name>\n",
  unsafe: "[x](javascript:alert(1)) [y](xmpp:a@example.org)\n",
};

describe("Markdown ↔ editor document", () => {
  it.each(Object.entries(samples))(
    "%s: untouched, and rebuilt block by block, the text comes back to the byte",
    (_, text) => {
      const canonical = formatMarkdown(text);
      const doc = readEditorDocument(schema, canonical);
      expect(() => doc.check()).not.toThrow();
      expect(writeDocument(doc)).toBe(canonical);
      expect(writeDocument(retyped(doc))).toBe(canonical);
      expect(isLossless(readEditorDocument(schema, text), text)).toBe(true);
    },
  );

  it("shows an image's title as its caption, and copies both as one image", () => {
    const text = `Open ![Valve\\|300](/api/assets/${"ab".repeat(32)}.png "Turn it slowly") slowly.\n`;
    const doc = readEditorDocument(schema, text);
    const copied = document.createElement("div");
    copied.append(DOMSerializer.fromSchema(schema).serializeFragment(doc.content));
    expect(copied.querySelector(".caption")?.textContent).toBe("Turn it slowly");
    expect(writeDocument(DOMParser.fromSchema(schema).parse(copied))).toBe(formatMarkdown(text));
    copied.innerHTML = `<figure><img src="/api/assets/${"ab".repeat(32)}.png" alt="A"><figcaption>B</figcaption></figure>`;
    expect(writeDocument(DOMParser.fromSchema(schema).parse(copied))).toBe(
      `![A](/api/assets/${"ab".repeat(32)}.png "B")\n`,
    );
  });

  it("knows a document that would be saved as another text", () => {
    expect(isLossless(readEditorDocument(schema, "1. a\n2. b\n"), "1. a\n7. b\n")).toBe(false);
    expect(isLossless(readEditorDocument(schema, "One\n"), "Two\n")).toBe(false);
    expect(isLossless(readEditorDocument(schema, "One\n"), "One\r\n")).toBe(true);
  });

  it.each([
    ["1. a\n3. b\n7. c\n", "1. a\n\n3) b\n\n7. c\n"],
    ["4. a\n5. b\n\n2. c\n", "4. a\n\n5. b\n\n2) c\n"],
    ["- x\n\n  1. a\n  3. b\n", "- x\n\n  1. a\n\n  3) b\n"],
    ["> [!WARNING]\n> Hot.\n>\n> 2. a\n> 4. b\n", "> [!WARNING]\n> Hot.\n>\n> 2. a\n>\n> 4) b\n"],
    ["1. a\n   1. b\n   9. c\n3. d\n", "1. a\n   1. b\n   9) c\n\n3) d\n"],
  ])("%j shows the numbers that were typed, and keeps them in an edit", (text, edited) => {
    const doc = readEditorDocument(schema, text);
    expect(numbersOf(doc)).toEqual(text.match(/\d+(?=[.)] )/g));
    expect(isLossless(doc, text)).toBe(true);
    expect(numbersOf(readEditorDocument(schema, writeDocument(doc)))).toEqual(numbersOf(doc));
    expect(writeDocument(retyped(doc))).toBe(edited);
  });

  it("turns what it knows into rich blocks", () => {
    const all = readEditorDocument(
      schema,
      Object.entries(samples)
        .filter(([name]) => !/references/i.test(name))
        .map(([, text]) => text)
        .join("\n\n"),
    );
    expect(kinds(all)).not.toContain("source_block");
    expect(kinds(all)).toEqual(expect.arrayContaining(["heading", "table", "alert", "code_block", "html_block", "hr"]));
  });

  it.each([
    ["[!danger] Hot *oil*\n> Stop.", "[!DANGER]\n> **Hot _oil_**\n>\n> Stop."],
    ["[!Warning]- **Steam** here\n>\n> Stop.", "[!WARNING]\n> **Steam** here\n>\n> Stop."],
    ["[!CAUTION]+ Hot", "[!CAUTION]\n> **Hot**"],
  ])("keeps an alert of another tool until it is edited: %j", (alert, edited) => {
    const text = formatMarkdown(`> ${alert}\n`);
    const doc = readEditorDocument(schema, text);
    expect(kinds(doc)).toEqual(["alert"]);
    expect(isLossless(doc, text)).toBe(true);
    expect(writeDocument(doc)).toBe(text);
    expect(writeDocument(retyped(doc))).toBe(`> ${edited}\n`);
  });

  it("keeps what it has no blocks for as Markdown source", () => {
    const doc = readEditorDocument(schema, samples["references"] ?? "");
    expect(kinds(doc)).toEqual(["paragraph", "source_block"]);
    expect(doc.textBetween(0, doc.content.size, "\n", (leaf) => String(leaf.attrs["value"] ?? ""))).toContain(
      "[the text][ref]",
    );
  });

  it("shows keys, subscripts and superscripts as what they are", () => {
    const doc = readEditorDocument(schema, "Press <kbd>Ctrl</kbd>+<kbd>S</kbd> for H<sub>2</sub>O\n");
    expect(doc.textContent).toBe("Press Ctrl+S for H2O");
    expect(doc.child(0).children.flatMap(({ marks }) => marks.map(({ attrs }) => attrs["name"]))).toEqual([
      "kbd",
      "kbd",
      "sub",
    ]);
  });

  it("changes only the block that was edited", () => {
    const text = formatMarkdown("[**a** b](c)\n\nEdit me\n\n- [**x**](y)\n");
    const state = EditorState.create({ doc: readEditorDocument(schema, text) });
    const at = state.doc.child(0).nodeSize + 1;
    const edited = state.apply(state.tr.insertText("Please ", at)).doc;
    expect(writeDocument(edited)).toBe(text.replace("Edit me", "Please Edit me"));
  });

  it("changes only the line that was edited, whichever of two marks is the outer one in the others", () => {
    const others = [
      "**_a_ b**",
      "**_a_**",
      "_**b**_",
      "**[c](d)**",
      "[**c**](d)",
      "~~**_[e](f)_**~~",
      "<sub>**g**</sub>",
    ];
    const lines = others.flatMap((other) => [`- ${other} and`, `  ${other}`]);
    const text = formatMarkdown(`${lines.join("\n")}\n- Edit me\n`);
    expect(text.split("\n")).toEqual([...lines, "- Edit me", ""]);
    const doc = readEditorDocument(schema, text);
    let at = 0;
    doc.descendants((node, pos) => {
      if (node.text === "Edit me") at = pos;
    });
    const state = EditorState.create({ doc });
    expect(writeDocument(state.apply(state.tr.insertText("Please ", at)).doc)).toBe(
      text.replace("Edit", "Please Edit"),
    );
  });

  it("keeps the outer one of two marks when their words change", () => {
    const text = "The **_first_** and _**last**_ ~~**[one](a)**~~\n";
    const state = EditorState.create({ doc: readEditorDocument(schema, text) });
    const tr = state.tr;
    for (const at of placesIn(state.doc, 9).toReversed()) tr.insertText("x", at);
    expect(writeDocument(tr.doc)).toBe("The **_fixrst_** and _**laxst**_ ~~**[one](a)**~~\n");
  });

  it("writes marks that end in a space with the space outside", () => {
    const strong = schema.mark("strong");
    const paragraph = schema.node("paragraph", null, [schema.text("bold ", [strong]), schema.text("plain")]);
    expect(writeDocument(schema.node("doc", null, [paragraph]))).toBe("**bold** plain\n");
  });

  it("shows the words of a picture from elsewhere without its width", () => {
    const picture = schema.node("image", { src: "https://a.example/v.png", alt: "Valve|300" });
    expect(picture.type.spec.toDOM?.(picture)).toContain("Image: Valve");
  });

  it("writes breaks in marks, in a table's cell too", () => {
    const strong = [schema.mark("strong")];
    const line = schema.node("hardbreak", null, undefined, strong);
    const words = [
      schema.text("a"),
      line,
      schema.text("b", strong),
      line,
      schema.text("c", strong),
      line,
      schema.text("d"),
    ];
    const row = (name: string, cell: string, content: Node[]) =>
      schema.node(name, null, [schema.node(cell, null, [schema.node("paragraph", null, content)])]);
    const table = schema.node("table", null, [
      row("table_header_row", "table_header", [schema.text("H")]),
      row("table_row", "table_cell", words),
    ]);
    const doc = schema.node("doc", null, [schema.node("paragraph", null, words), table]);
    expect(writeDocument(doc)).toBe("a\\\n**b\\\nc**\\\nd\n\n| H |\n| --- |\n| a<br>**b<br>c**<br>d |\n");
  });

  it("drops emptied paragraphs, quotes and trailing breaks", () => {
    const empty = schema.node("paragraph");
    const broken = schema.node("paragraph", null, [schema.text("a"), schema.node("hardbreak")]);
    const doc = schema.node("doc", null, [empty, schema.node("blockquote", null, [empty]), broken, empty]);
    expect(writeDocument(doc)).toBe("a\n");
  });

  it("gives plain paragraphs back with any characters", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(..."ab1 .*_`[]()<>#|\\~-+:!&^é") }), { maxLength: 4 }),
        (lines) => {
          const paragraphs = lines
            .map((line) => line.trim().replace(/ +/g, " "))
            .filter((line) => line !== "")
            .map((line) => schema.node("paragraph", null, [schema.text(line)]));
          const doc = schema.node("doc", null, paragraphs.length > 0 ? paragraphs : [schema.node("paragraph")]);
          const again = readEditorDocument(schema, writeDocument(doc));
          expect(again.children.map((child) => child.textContent)).toEqual(
            doc.children.map((child) => child.textContent),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** Positions in the middle of words, evenly spread. The words of a link may be its address: those are left out. */
function placesIn(doc: Node, count: number): number[] {
  const found: number[] = [];
  doc.descendants((node, at) => {
    const word = /\p{L}{4,}/u.exec(node.text ?? "");
    if (word && !node.marks.some(({ type }) => type.name === "link")) found.push(at + word.index + 2);
  });
  const step = Math.max(1, Math.ceil(found.length / count));
  return found.filter((_, index) => index % step === Math.floor(step / 2));
}

/** An edit of a table gives a column to cells that no reader sees: `tables.test.ts` has these. */
const bodyOf = (file: CorpusFile): string =>
  formatMarkdown(textOf(file).replace(/^---\n[^]*?\n---\n/, ""), "counted").replace(
    "| a | b | c | d |",
    "| a | b | c |",
  );

describe("real documents", () => {
  it("keep every other byte when one word changes", { timeout: 300_000 }, () => {
    const every = process.env["CORPUS"] === "all" ? 1 : 8;
    const bodies = [
      ...suites.map((name) => [name, measure(name).document.body] as const),
      ...corpusFiles(".md", { oneIn: every }).map((file) => {
        return [file.name, bodyOf(file)] as const;
      }),
    ];
    const word = "qzq";
    const more: string[] = [];
    let edits = 0;
    for (const [name, body] of bodies) {
      const state = EditorState.create({ doc: readEditorDocument(schema, body) });
      for (const at of placesIn(state.doc, every === 1 ? 8 : 3)) {
        edits += 1;
        const text = writeDocument(state.apply(state.tr.insertText(word, at)).doc);
        // the server formats what it is sent
        if (text.replace(word, "") !== body || formatMarkdown(text) !== text) more.push(`${name} at ${at}`);
      }
    }
    console.info(
      `editor: ${edits - more.length} of ${edits} edits in ${bodies.length} documents changed one word only`,
    );
    expect(edits).toBeGreaterThan(40);
    expect(more).toEqual([]);
  });

  it("all open without damage, nearly all of them in the rich editor", { timeout: 300_000 }, () => {
    // a sample keeps the suite fast; CORPUS=all opens every document
    const every = process.env["CORPUS"] === "all" ? 1 : 4;
    const files = corpusFiles(".md", { oneIn: every });
    let faithful = 0;
    let blocks = 0;
    let source = 0;
    let same = 0;
    let rewritten = 0;
    for (const [index, file] of files.entries()) {
      const body = bodyOf(file);
      const doc = readEditorDocument(schema, body);
      blocks += doc.childCount;
      source += kinds(doc).filter((kind) => kind === "source_block").length;
      if (writeDocument(doc) === body) faithful += 1;
      if (every > 1 && index % 3 !== 0) continue;
      rewritten += 1;
      if (sameTree(flatMarks(parseMarkdown(writeDocument(retyped(doc)))), flatMarks(parseMarkdown(body)))) same += 1;
    }
    console.info(
      `editor: ${faithful} of ${files.length} documents open in the rich editor and come back to the byte; ` +
        `${source} of ${blocks} blocks as source; ${same} of ${rewritten} say the same when every block is written anew`,
    );
    expect(faithful).toBe(files.length);
    expect(same).toBe(rewritten);
  });
});
