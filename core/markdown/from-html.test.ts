import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "./from-html.ts";
import { renderHtml } from "./render.ts";

describe("htmlToMarkdown", () => {
  it.each([
    ["headings and paragraphs", "<h2>A</h2><p>b<br>c</p>", "## A\n\nb\\\nc\n"],
    ["space inside emphasis", "<p><b>Warning: </b>hot</p>", "**Warning:** hot\n"],
    ["emphasis that touches words", '<p>a<b>"b"</b>c</p>', 'a<strong>"b"</strong>c\n'],
    ["split and empty emphasis", "<p><b>a</b><b>b</b><i></i><i> </i>c</p>", "**ab** c\n"],
    ["nested lists", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c\n"],
    ["numbers", '<ol start="3"><li>a</li><li>b</li></ol>', "3. a\n4. b\n"],
    [
      "sub, sup and kbd",
      "<p>H<sub>2</sub>O x<sup>2</sup> <kbd>F1</kbd></p>",
      "H<sub>2</sub>O x<sup>2</sup> <kbd>F1</kbd>\n",
    ],
    ["text that looks like Markdown", "<p>1. a *b* [c](d) &lt;b&gt; # e</p>", "1\\. a \\*b\\* \\[c](d) \\<b> # e\n"],
    [
      "a table",
      "<table><tr><th>a</th><th align=center>b</th></tr><tr><td>1<br>2</td><td>3|4</td></tr></table>",
      "| a | b |\n| --- | :-: |\n| 1<br>2 | 3\\|4 |\n",
    ],
    [
      "merged cells",
      '<table><tr><th colspan="2">a</th></tr>\n\n<tr><td>b</td><td>c</td></tr></table>',
      '<table><tbody>\n<tr><th colspan="2">a</th></tr>\n<tr><td>b</td><td>c</td></tr>\n</tbody>\n</table>\n',
    ],
    [
      "lists in cells",
      "<table><tr><th>a</th></tr><tr><td><ul><li>b</li></ul></td></tr></table>",
      "<table><tbody>\n<tr><th>a</th></tr>\n<tr><td><ul><li>b</li></ul></td></tr>\n</tbody>\n</table>\n",
    ],
    ["code", '<pre><code class="language-js">a\n\nb\n</code></pre>', "```js\na\n\nb\n```\n"],
    ["an alert", '<div class="alert alert-tip"><p class="alert-title">Tip</p><p>a</p></div>', "> [!TIP]\n> a\n"],
    ["text alone", "just text", "just text\n"],
    ["nothing", "", ""],
  ])("converts %s", (_, html, markdown) => {
    const result = htmlToMarkdown(html);
    expect(result.markdown).toBe(markdown);
    expect(result.losses).toEqual([]);
  });

  it.each([
    ["bold around blocks", "<b><p>Stop.</p><ol><li>Wait</li></ol></b>", "**Stop.**\n\n1. **Wait**\n"],
    ["bold inside an item", "<ol><li><strong><p>Close.</p></strong></li></ol>", "1. **Close.**\n"],
    [
      "a link around blocks",
      '<a href="https://a.example"><p>a</p><p>b</p></a>',
      "[a](https://a.example)\n\n[b](https://a.example)\n",
    ],
    [
      "a strike around a table",
      "<s><table><tr><th>a</th></tr><tr><td>b</td></tr></table></s>",
      "| ~~a~~ |\n| --- |\n| ~~b~~ |\n",
    ],
    ["font and span around blocks", "<font color=red><span><p>a</p></span><ul><li>b</li></ul></font>", "a\n\n- b\n"],
    [
      "bold that a style takes away",
      '<b style="font-weight:normal"><p>a <span style="font-weight:700">b</span></p></b>',
      "a **b**\n",
    ],
    ["a break at the edge of marks", "<p><b><i><br>Stop!<br><br></i></b>go</p>", "**_Stop!_**\\\n\\\ngo\n"],
    [
      "a break at the edge of a link and a strike",
      '<p><a href="https://a.example">a<br></a>b <del>c <br></del>d</p>',
      "[a](https://a.example)\\\nb ~~c~~\\\nd\n",
    ],
    ["blocks in a heading", "<h2>Set <div>80</div> °C</h2><h2><p>T</p></h2>", "## Set 80 °C\n\n## T\n"],
    ["a break inside bold in a heading", "<h3><b>80<br>85</b></h3>", "### **80 85**\n"],
    [
      "blocks in cells",
      "<table><tr><th>a</th></tr><tr><td>5<p>6</p>7</td></tr><tr><td><div><section>b</section></div><dl><dt>c</dt><dd>d</dd></dl></td></tr></table>",
      "| a |\n| --- |\n| 5<br>6<br>7 |\n| b<br>c<br>d |\n",
    ],
    ["blocks beside words", "<li>Stop<div>Wait</div>Go</li>", "- Stop\n\n  Wait\n\n  Go\n"],
    ["an empty block between words", "<div>5<p></p>7</div>", "5\n\n7\n"],
    ["numbers of items", '<ol><li value="4">a</li><li>b</li><li value="9">c</li></ol>', "4. a\n5. b\n\n9) c\n"],
    ["a list directly in a list", "<ol><li>A</li><ol><li>a</li></ol><li>B</li></ol>", "1. A\n   1. a\n2. B\n"],
    ["a list that goes on", '<ol><li>A</li></ol> <ol start="2"><li>B</li></ol>', "1. A\n2. B\n"],
    ["text directly in a list", "<ul>a<li>b</li>c</ul>", "a\n\n- b\n\n  c\n"],
    [
      "a list that begins an item",
      "<ul><li>a<ul><li><ol start=4><li>b</li></ol></li></ul></li></ul>",
      "- a\n\n  - 4. b\n",
    ],
    ["a list of empty items", "a<ul><li></li><li></li></ul>", "a\n\n-\n-\n"],
    ["a list that counts down", "<ol reversed><li>a</li><li>b</li></ol>", "2. a\n\n1) b\n"],
    ["boxes", "<p><input type=checkbox checked>Yes <input type=radio>No</p>", "☒ Yes ☐ No\n"],
    [
      "a box in a cell",
      "<table><tr><th>a</th></tr><tr><td><input type=checkbox> b</td></tr></table>",
      "| a |\n| --- |\n| ☐ b |\n",
    ],
    [
      "items with a box",
      "<ul><li><label><input type=checkbox> a</label></li><li><p><input type=checkbox checked> b</p></li></ul>",
      "- [ ] a\n\n- [x] b\n",
    ],
    ["an item with two boxes", "<ul><li><input type=checkbox> a <input type=checkbox> b</li></ul>", "- ☐ a ☐ b\n"],
    [
      "code with a link, marks and breaks",
      '<code>a <a href="https://a.example">b</a><br>x<sup>2</sup></code>',
      "`a `[`b`](https://a.example)\\\n`x`<sup>`2`</sup>\n",
    ],
    ["lines of code", "<pre>a<br>b\n\n<div>c</div></pre>", "```\na\nb\n\nc\n```\n"],
    [
      "blank lines of code in a cell",
      "<table><tr><th>a</th></tr><tr><td><pre>b\n\nc</pre></td></tr></table>",
      "<table><tbody>\n<tr><th>a</th></tr>\n<tr><td><pre><code>b\n&#10;c</code></pre></td></tr>\n</tbody>\n</table>\n",
    ],
    [
      "feet of tables last",
      "<table><tfoot><tr><td>z</td></tr></tfoot><tbody><tr><th>a</th></tr></tbody></table>",
      "| a |\n| --- |\n| z |\n",
    ],
    [
      "a figure with a caption of marks",
      "<figure><img src=a.png><figcaption>m<sup>2</sup></figcaption></figure>",
      "![](a.png)\n\nm<sup>2</sup>\n",
    ],
    [
      "addresses with a base",
      '<base href="https://a.example/b/"><a href="c">d</a><img src="e.png">',
      "[d](https://a.example/b/c)![](https://a.example/b/e.png)\n",
    ],
  ])("keeps the words of %s", (_, html, markdown) => {
    expect(htmlToMarkdown(html).markdown).toBe(markdown);
  });

  it.each([
    ['<p style="display:none">Old limit</p>a', "a\n", "hidden text was left out: Old limit"],
    ["<p hidden>x</p>a", "a\n", "hidden text was left out: x"],
    [
      "<select><option>mg<option selected>ug</select>",
      "ug\n",
      "a drop-down list became its selected option: ug (not: mg)",
    ],
    ["<input value=42> mm", "42 mm\n", "a form field became its value as text"],
    ["a <input> b", "a ____ b\n", "an empty form field became ____"],
    ["<input type=hidden value=7>a", "a\n", "a hidden form field was left out: 7"],
    ["<input type=submit value=Send>", "Send\n", "a button was removed, its words kept"],
    ["<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "1/2\n", "a formula became text: check it"],
    ["<math><msup><mn>10</mn><mn>3</mn></msup></math>", "10<sup>3</sup>\n", "a formula became text: check it"],
    ["<svg><text>80</text><text>85</text></svg>", "80 85\n", "a drawing was removed, its words kept"],
    ["<ruby>漢<rp>(</rp><rt>kan</rt></ruby>", "漢(kan)\n", "reading aids above words are in brackets now"],
    ['<img alt="Valve">', "Valve\n", "an image without an address became its alternative text: Valve"],
    ['<a href="https://a.example"></a>a', "a\n", "a link without words was removed: https://a.example"],
    [
      '<video src="https://a.example/v">x</video>',
      "<https://a.example/v>\n",
      "<video> became a link: https://a.example/v",
    ],
    [
      '<abbr title="Personal protection">PPE</abbr>',
      "PPE\n",
      "the explanation of <abbr> was removed: Personal protection",
    ],
    ["<ol type=a><li>Stop</li></ol>", "1. Stop\n", "letters or Roman numbers of a list became numbers: Stop"],
    ["<ol start=-1><li>a</li></ol>", "- -1. a\n", "an item's number that Markdown can't count became text: -1"],
    [
      "<h2>a<ul><li>b</li></ul></h2>",
      "## a\n\n- b\n",
      "a heading with a list, a table or code inside: they are below it now",
    ],
    [
      "<table><tr><th>a</th><th>b</th></tr><tr><td>1<table><tr><td>x</td><td>y</td></tr></table></td><td>2</td></tr></table>",
      "| a | b |\n| --- | --- |\n| 1<br>x · y | 2 |\n",
      "a table inside a table became lines of its cell",
    ],
  ])("names the change of %s", (html, markdown, loss) => {
    const result = htmlToMarkdown(html);
    expect(result.markdown).toBe(markdown);
    expect(result.losses).toContain(loss);
  });

  it("names what it dropped, each kind once", () => {
    const { markdown, losses } = htmlToMarkdown(
      '<p style="color:red" onclick="x">a <u>b</u> <u>c</u> <a href="javascript:1">d</a></p><script>1</script>' +
        "<table><tr><td>e</td></tr><tr><td>f</td></tr></table>",
    );
    expect(markdown).toBe("a b c d\n\n| e |\n| --- |\n| f |\n");
    expect(losses).toEqual([
      "style attributes were removed",
      "event handlers were removed",
      "<u> was removed, its text kept (2 times)",
      "an unsafe link target was removed: javascript:1",
      "<script> was removed",
      "a table without a header row: its first row became the header",
    ]);
  });

  it("gives back the Markdown that our own rendering came from", () => {
    const markdown = `## Purpose & scope

> [!WARNING]
> Hot **surface**, see [scope](#purpose--scope).

1. First[^note]

   - [x] done
   - [ ] open

2. Second, H<sub>2</sub>O

   \`\`\`sh
   ls  -l
   \`\`\`

| a | b |
| :-- | --: |
| 1<br>2 | \`x\` |

<details>
<summary>More</summary>

Text and <https://example.com/a_b>.

</details>

![Valve](/api/assets/${"ab".repeat(32)}.png)

[^note]: A note.
`;
    expect(htmlToMarkdown(renderHtml(markdown))).toEqual({ markdown, losses: [] });
  });

  it("keeps what is dangerous out of the Markdown too", () => {
    const { markdown } = htmlToMarkdown(
      '<table><tr><td colspan=2><img src=x onerror=alert(1)><a href="javascript:1">x</a></td></tr></table>',
    );
    expect(markdown).not.toMatch(/onerror|javascript/);
  });
});

it.each([
  ["Dose<input value=5>mg, line 2<input value=37>.", "Dose 5 mg, line 2 37."],
  ["5<select><option>mg</select><button>Go</button>now", "5 mg Go now"],
  ["<label>Name<input></label><label>Dose</label>", "Name ____ Dose"],
  ["<p>a<span style='display:block'>b</span>c</p>", "a\n\nb\n\nc"],
  ["<div style='white-space:pre-wrap'>1. Open\n2. Close</div>", "1\\. Open\\\n2. Close"],
])("keeps apart what a page shows apart: %s", (html, text) => {
  expect(htmlToMarkdown(html).markdown).toBe(`${text}\n`);
});
