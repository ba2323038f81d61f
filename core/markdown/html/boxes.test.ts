import { expect, it } from "vitest";
import { bodyOfHtml } from "#core/import/html/content.ts";

const read = (content: string) => {
  const { markdown, notes } = bodyOfHtml({ content, title: "" });
  return { markdown, said: notes.map(({ message }) => message) };
};

it.each([
  [
    "MkDocs",
    '<div class="admonition danger"><p class="admonition-title">Hot 80</p><p>Wait.</p></div>',
    "> [!DANGER]\n> **Hot 80**\n>\n> Wait.\n",
  ],
  [
    "Sphinx",
    '<div class="admonition warning"><p class="admonition-title">Warning</p><p>Wait.</p></div>',
    "> [!WARNING]\n> Wait.\n",
  ],
  [
    "Docusaurus",
    '<div class="theme-admonition theme-admonition-tip alert alert--success"><div class="admonitionHeading_x"><span>tip</span></div><div><p>Wait.</p></div></div>',
    "> [!TIP]\n> Wait.\n",
  ],
  [
    "GitHub",
    '<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title">Caution</p><p>Wait.</p></div>',
    "> [!CAUTION]\n> Wait.\n",
  ],
])("boxes of %s stay boxes", (_, html, text) => {
  expect(read(html)).toEqual({ markdown: text, said: [] });
});

it.each([
  ["a cell", "<table><tr><th>A</th></tr><tr><td>BOX</td></tr></table>", "| A |\n| --- |\n| Warning<br>Hot |\n"],
  ["an item", "<ul><li>x BOX</li></ul>", "- x\n\n  > [!WARNING]\n  > Hot\n"],
])("no word of a box in %s is lost", (_, html, text) => {
  const box = '<div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot</p></div>';
  expect(read(html.replace("BOX", box))).toEqual({ markdown: text, said: [] });
});

it("marks of links to a heading aren't part of it", () => {
  expect(read('<h2>Pump<a class="headerlink" href="#p">¶</a></h2>')).toEqual({ markdown: "## Pump\n", said: [] });
});

it("a formula comes once", () => {
  const html =
    '<p><span class="katex"><span class="katex-mathml"><math><mi>E</mi><mo>=</mo><mn>5</mn></math></span><span class="katex-html" aria-hidden="true">E=5</span></span></p>';
  expect(read(html)).toEqual({ markdown: "E=5\n", said: ["a formula became text: check it"] });
});
