import fc from "fast-check";
import type { List, Nodes, Paragraph, PhrasingContent, Root, RootContent, Table, TableCell, TableRow } from "mdast";
import { toString } from "mdast-util-to-string";
import { describe, expect, it } from "vitest";
import { formatMarkdown, normaliseText, sameTree, writeTree } from "./format.ts";
import { eachNode, parseMarkdown } from "./parse.ts";
import { unknownNode } from "./write/unknown.ts";

function check(text: string): string {
  const out = formatMarkdown(text);
  expect(sameTree(parseMarkdown(out), parseMarkdown(normaliseText(text))), `tree of ${JSON.stringify(text)}`).toBe(
    true,
  );
  expect(formatMarkdown(out), `second pass of ${JSON.stringify(text)}`).toBe(out);
  return out;
}

describe("formatMarkdown", () => {
  it.each([
    ["bullets", "* a\n+ b", "- a\n\n* b\n"],
    ["rules", "a\n\n***", "a\n\n---\n"],
    ["a rule in the first line, which could begin front matter", "---", "***\n"],
    ["rule in an item", "- ***", "- ___\n"],
    ["underlined headings", "Title\n===\n\nSub\n---", "# Title\n\n## Sub\n"],
    ["headings of several lines", "Two\nlines\n===", "Two\nlines\n===\n"],
    ["hard breaks", "a  \nb", "a\\\nb\n"],
    ["trailing space", "a   \n\nb\t", "a\n\nb\n"],
    ["trailing space in code", "```\na  \n```", "```\na  \n```\n"],
    ["indented code", "    code\n      more", "```\ncode\n  more\n```\n"],
    ["numbers", "3. a\n3. b", "3. a\n4. b\n"],
    ["wide numbers", "9. a\n10. b\n\n    - c", "9. a\n10. b\n\n    - c\n"],
    ["tasks", "* [X] a\n* [ ] b", "- [x] a\n- [ ] b\n"],
    ["marks beside a tilde", "\\*~\\*a", "\\*~\\*a\n"],
    ["an address after marks", "**~~**www.a.b", "**~~**[www.a.b](http://www.a.b)\n"],
    ["an address after stars that are text", "**__**www.a.b", "**__**www.a.b\n"],
    ["tables", "|a|b|\n|-|:-:|\n|x|y|", "| a | b |\n| --- | :-: |\n| x | y |\n"],
    ["an empty header row", "| | |\n|-|-|\n|a|b|", "| | |\n| --- | --- |\n| a | b |\n"],
    ["pipes in cells", "|a|\n|-|\n|x \\| `y \\| z`|", "| a |\n| --- |\n| x \\| `y \\| z` |\n"],
    ["emphasis", "*a* __b__ ***c***", "_a_ **b** _**c**_\n"],
    ["emphasis in words", "un*frigging*believable", "un*frigging*believable\n"],
    ["CRLF and byte order mark", "\uFEFFa\r\nb\r", "a\nb\n"],
    ["composed letters", "Pru\u0308fung", "Prüfung\n"],
    ["blank text", " \n\n", ""],
    ["two lists", "- a\n\n<!-- -->\n\n- b", "- a\n\n<!-- -->\n\n- b\n"],
    ["definitions", "[a]: /x\n[b]: <y z> 'T'\n\n[a] [b]", '[a]: /x\n[b]: <y z> "T"\n\n[a] [b]\n'],
    ["footnotes", "a[^1]\n\n[^1]: note\n\n    more", "a[^1]\n\n[^1]: note\n\n    more\n"],
    [
      "labels of several lines",
      "*   see [the\n    long label]\n\n[the long label]: /x",
      "- see [the\n  long label]\n\n[the long label]: /x\n",
    ],
    ["labels after other words", "> [a][the\n> label]\n\n[the label]: /x", "> [a][the\n> label]\n\n[the label]: /x\n"],
    ["a tag that opens a line", "- a\n      <div>\n      <kbd>\n      </pre>", "- a\n      <div>\n  <kbd>\n  </pre>\n"],
    ["comments that open a line", "a\n     <!-- b -->", "a\n    <!-- b -->\n"],
    ["entities", "&copy; &amp; &amp;amp;", "© & \\&amp;\n"],
  ])("%s", (_, text, wanted) => {
    expect(check(text)).toBe(wanted);
  });

  it.each([
    ["20~25 °C and 5~7 bar", "20\\~25 °C and 5\\~7 bar"],
    ["200*300*50 mm", "200\\*300\\*50 mm"],
    ["H~2~O and ~~x~~", "H\\~2\\~O and ~~x~~"],
    ["`5~7` and `2*3*4`", "`5~7` and `2*3*4`"],
    ["**注意：**正文", "<strong>注意：</strong>正文"],
    ["a <strong>b</strong> c", "a **b** c"],
    ["3<strong>(!)</strong>mal", "3<strong>(!)</strong>mal"],
    ["**Achtung:**sofort. Ein **„Notaus“**-Taster.", "**Achtung:**sofort. Ein **„Notaus“**-Taster."],
  ])("writes %j so that every reader shows it as we do", (text, wanted) => {
    expect(check(text)).toBe(`${wanted}\n`);
  });

  it.each([
    "<https://a.example/x>",
    "<ann@a.example>",
    "https://a.example/x and ann@a.example",
    "[www.a.example](http://www.a.example)",
  ])("keeps the form of the address: %s", (text) => {
    expect(check(text)).toBe(`${text}\n`);
  });

  it("writes a link to its own address in the form that every reader links", () => {
    expect(check("[https://a.example](https://a.example)")).toBe("<https://a.example>\n");
  });

  it.each([
    ["surplus cells", "| a | b |\n|---|---|\n| `\\(\\\\|\\)` | \\( | c |", "| `\\(\\\\|\\)` | \\( | c |"],
    ["code cut by a pipe", "| a | b | c |\n|---|---|---|\n| x | `\\(\\\\|\\)` |", "| x | `\\(\\\\|\\)` |"],
    ["an unbreakable space at its end", "| a | b |\n|---|---|\n``\u00a0", "``\u00a0"],
    ["too few cells", "| a | b |\n|---|---|\n| x", "| x | |"],
  ])("keeps each character of a row with %s", (_, text, row) => {
    expect(check(text).split("\n")[2]).toBe(row);
  });

  it.each(["    a  ", "- b\n\n      a \t", "\ta "])("keeps spaces at the end of the indented code %j", (text) => {
    const code = (one: string): string => /a[ \t]*/.exec(one)?.[0] ?? "";
    expect(code(check(text))).toBe(code(text));
  });

  it("keeps spaces at the end of HTML", () => {
    expect(check("> <!--  \n> ")).toBe("> <!--  \n");
  });

  it("keeps the empty line of a code block", () => {
    expect(check("```\n\n```")).toBe("```\n\n```\n");
    expect(check("```\n```")).toBe("```\n```\n");
  });

  // Common characters that readers don't take for markup: not one backslash is added.
  it.each([
    "Start at 08:00, end by 17:30.",
    "Use snake_case_names and 2 * 3 * 4, or 5*3.",
    "Press Ctrl+S; choose <5 or > 3 & go!",
    "See C:\\Users\\anna or D:\\share.",
    "> [!WARNING]\n> Hot surface.",
    "> [!NOTE]\n>\n> - a",
    '[text]({{ url }}) and [page]({% page "/x/" %})',
    '[**bold**]({% page "/a_b/c_d" %}){:target="_blank"}',
    "{{.Name}} keeps {% include 'x' %}.",
    "a<br>b and a<br/>b",
    "[words][^1]\n\n[^1]: Note.",
    "<https://a.b/x>'.replace('y')",
    "https://a.b/x), https://a.b/y. And https://a.b/z",
    "https://example.com/a_b_c?x=1&y=2 and www.example.com/x_y.",
    "Write to anna_b@example.com or https://example.com.",
    "[ ] not a task, [1] not a link, array[0] neither",
    "- [ ] a task\n- [x] done",
    "Item #4, C#, F# and 100 %.",
    "1986 was a year. - and + too",
    "~5 minutes, ~10 at most",
    "a ` lone backtick, _ and * too",
    "$5 | $6",
  ])("leaves %j alone", (text) => {
    expect(check(text)).toBe(`${text}\n`);
  });

  it.each([
    ["\\*a\\*", "\\*a\\*\n"],
    ["1986\\. A year", "1986\\. A year\n"],
    ["\\- a", "\\- a\n"],
    ["\\# a", "\\# a\n"],
    ["\\[a](b)", "\\[a](b)\n"],
    ["\\<b>", "\\<b>\n"],
    ["- \\[ ] a", "- \\[ ] a\n"],
    ["a\n\\---", "a\n\\---\n"],
    ["a | b\n\\-|-", "a | b\n\\-|-\n"],
    ["\\![a](b)", "\\![a](b)\n"],
    ["!\\[a](b)", "!\\[a](b)\n"],
    ["a&#x20;", "a&#x20;\n"],
  ])("keeps the backslash of %j", (text, wanted) => {
    expect(check(text)).toBe(wanted);
  });

  it("keeps the tree and its own form, for any text", () => {
    const piece = fc.constantFrom(
      ..."*|**|_|__|~~|~|`|``|```|[|]|(|)|](|![|!|<|>|<br>|</b>|<!--|-->|&amp;|&|#|##|-|+|1.|2)|a.|\n|\n\n|    |  |\t|\\|\\\n|  \n|:|---|===|:--|a|b c|Ü|漢|“x”|x_y|/url|http://a.b/c|www.a.b|a@b.cd|[x]|[ ]|[^1]|[^1]: n|[r]: /u|[r]|[the\nr]|[the r]: /u|<div>|</pre>|{% x %}|{{y}}|!!!|\u00a0|😀|'|\"|.|,".split(
        "|",
      ),
      "|",
      "| a | b |\n| - | - |\n",
      "- ",
      "> ",
      "1. ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => void check(pieces.join(""))),
      { numRuns: 3_000 },
    );
  });
});

describe("writeTree", () => {
  const text = (value: string): PhrasingContent => ({ type: "text", value });
  const strong = (...children: PhrasingContent[]): PhrasingContent => ({ type: "strong", children });
  const line: PhrasingContent = { type: "break" };
  const write = (...children: Nodes[]) => formatMarkdown(writeTree({ type: "root", children } as Root));
  const rows = (...cells: Nodes[][][]) =>
    ({
      type: "table",
      children: cells.map((row) => ({
        type: "tableRow",
        children: row.map((children) => ({ type: "tableCell", children })),
      })),
    }) as unknown as Table;
  const table = (cell: Nodes[]) => rows([cell]);
  const list = (...children: Nodes[]) =>
    ({ type: "list", children: [{ type: "listItem", spread: false, children }] }) as unknown as List;
  const paragraph = (...children: Nodes[]) => ({ type: "paragraph", children }) as Paragraph;

  it.each<[string, string, Nodes]>([
    ["breaks at the edges of bold", "\\\n**Stop!**\\\nGo\n", paragraph(strong(line, text("Stop!"), line), text("Go"))],
    [
      "a break at the end of a link",
      "[a](/x)\\\nb\n",
      paragraph({ type: "link", url: "/x", children: [text("a"), line] }, text("b")),
    ],
    [
      "breaks in nested emphasis",
      "**_a_**\\\nb\n",
      paragraph(strong({ type: "emphasis", children: [text("a"), line] } as PhrasingContent), text("b")),
    ],
    ["a break at the end of a paragraph", "a\n", paragraph(text("a"), line)],
    ["bold without words", "a b\n", paragraph(text("a"), strong(text(" ")), text("b"))],
    [
      "bold beside punctuation in a word",
      "3<strong>(!)</strong>mal\n",
      paragraph(text("3"), strong(text("(!)")), text("mal")),
    ],
    ["bold digits in a number", "12<strong>3</strong>4\n", paragraph(text("12"), strong(text("3")), text("4"))],
    [
      "a star in italics",
      "<em>*</em>a\n",
      paragraph({ type: "emphasis", children: [text("*")] } as PhrasingContent, text("a")),
    ],
    [
      "struck punctuation in a word",
      "a<del>(b)</del>c\n",
      paragraph(text("a"), { type: "delete", children: [text("(b)")] } as PhrasingContent, text("c")),
    ],
    ["bold side by side", "**ab**\n", paragraph(strong(text("a")), strong(text("b")))],
    ["a break in a low heading", "### A B\n", { type: "heading", depth: 3, children: [text("A"), line, text("B")] }],
    [
      "a break in a high heading",
      "A\\\nB\n---\n",
      { type: "heading", depth: 2, children: [text("A"), line, text("B")] },
    ],
    ["a break in a cell", "| A<br>B |\n| --- |\n", table([text("A"), line, text("B")])],
    [
      "blocks in a cell",
      "| A<br>B<br>c |\n| --- |\n",
      table([paragraph(text("A")), list(paragraph(text("B")), paragraph(text("c")))]),
    ],
    ["code in a cell", "| A<br>`x y`<br>`z` |\n| --- |\n", table([text("A"), { type: "code", value: "x y\nz" }])],
    [
      "a paragraph in a heading",
      "## Set 80 °C\n",
      { type: "heading", depth: 2, children: [paragraph(text("Set 80 °C"))] } as unknown as Nodes,
    ],
    [
      "a paragraph in bold",
      "a\\\n**b**\\\nc\n",
      paragraph(
        text("a"),
        line,
        { type: "strong", children: [paragraph(text("b"))] } as unknown as Nodes,
        line,
        text("c"),
      ),
    ],
    [
      "text beside blocks",
      "a **b**\n\n- c\n",
      { type: "root", children: [text("a "), strong(text("b")), list(paragraph(text("c")))] } as unknown as Nodes,
    ],
    ["short rows", "| a | b |\n| --- | --- |\n| c | |\n", rows([[text("a")], [text("b")]], [[text("c")]])],
  ])("writes %s", (_, wanted, node) => {
    expect(node.type === "root" ? formatMarkdown(writeTree(node)) : write(node)).toBe(wanted);
  });

  it("writes the words of nodes it doesn't know, and says so", () => {
    const math = { type: "inlineMath", value: "x^2" } as unknown as PhrasingContent;
    const box = { type: "card", children: [paragraph(text("Wait"))] } as unknown as RootContent;
    const root: Root = { type: "root", children: [paragraph(text("a "), math), box] };
    expect(() => writeTree(root)).toThrow('nodes of the type "inlineMath"');
    const { found } = unknownNode;
    const notes: string[] = [];
    try {
      unknownNode.found = () => {};
      expect(writeTree(root, (note) => notes.push(note))).toBe("a x^2\n\nWait\n");
    } finally {
      unknownNode.found = found;
    }
    expect(notes).toEqual([
      '"inlineMath" has no form in Markdown: its words stay as text',
      '"card" has no form in Markdown: its words stay as text',
    ]);
  });
  it.each(["a\\|b", "\\|", "\\\\\\|*b*", "a\\\\|b", "a|b", "a\\"])(
    "keeps the code %s in its cell of a table",
    (code) => {
      const cell = (...children: PhrasingContent[]): TableCell => ({ type: "tableCell", children });
      const head = cell({ type: "text", value: "A" });
      const last = cell({ type: "text", value: "last" });
      const row = [cell({ type: "strong", children: [{ type: "inlineCode", value: code }] }), last];
      const rows = [[head, head], row].map((children): TableRow => ({ type: "tableRow", children }));
      const text = writeTree({ type: "root", children: [{ type: "table", align: [null, null], children: rows }] });
      const [table] = parseMarkdown(text).children;
      const cells = table?.type === "table" ? (table.children[1]?.children ?? []) : [];
      expect(cells.map((one) => toString(one, { includeHtml: false }))).toEqual([code, "last"]);
      expect(formatMarkdown(text)).toBe(text);
    },
  );

  it.each([
    "https://a.example<b>x",
    "www.a.example<img src=x>",
    "see https://a.example*x* and *y*",
    "https://a.example`x` and `y`",
    "https://a.example[x](y)",
    "https://a.example&lt;b>",
    "a@b.example<b>",
  ])("writes no markup where text is only near an address: %s", (value) => {
    const tree: Root = { type: "root", children: [{ type: "paragraph", children: [{ type: "text", value }] }] };
    const back = parseMarkdown(writeTree(tree));
    expect(toString(back)).toBe(value);
    const kinds = new Set<string>();
    eachNode(back, ({ type }) => kinds.add(type));
    expect([...kinds].filter((kind) => !["root", "paragraph", "text", "link"].includes(kind))).toEqual([]);
  });
});
