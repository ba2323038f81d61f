import fc from "fast-check";
import type { PhrasingContent, Root, TableCell, TableRow } from "mdast";
import { toString } from "mdast-util-to-string";
import { describe, expect, it } from "vitest";
import { formatMarkdown, normaliseText, sameTree, writeTree } from "./format.ts";
import { eachNode, parseMarkdown } from "./parse.ts";

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
    ["rules", "***", "---\n"],
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
