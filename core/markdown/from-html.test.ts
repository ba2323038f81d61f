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
      "an unsafe link target was removed",
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
