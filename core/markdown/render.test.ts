import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyMarkdown, htmlWords } from "../../test/export-words.ts";
import { htmlToMarkdown } from "./from-html.ts";
import { linkSchemes, hrefIfSafe } from "./links.ts";
import { renderHtml } from "./render.ts";

const sha = "ab".repeat(32);

describe("renderHtml", () => {
  it.each([
    ["a scheme that runs code", "[x](javascript:alert(1))", "<p><a>x</a></p>"],
    ["a scheme in disguise", "[x](&#x6A;avascript:alert(1))", "<p><a>x</a></p>"],
    ["a scheme broken by a tab", '<a href="java\tscript:alert(1)">x</a>', "<p><a>x</a></p>"],
    ["data", "[x](data:text/html,hi)", "<p><a>x</a></p>"],
    ["another host without a scheme", "[x](//evil.example/)", "<p><a>x</a></p>"],
    ["the same with backslashes", '<a href="/\\evil.example">x</a>', "<p><a>x</a></p>"],
    ["the same behind white space", '<a href=" //evil.example">x</a>', "<p><a>x</a></p>"],
    ["scripts", "a<script>alert(1)</script>b", "<p>ab</p>"],
    ["a block of style", "<style>p{}</style>\n\nx", "\n<p>x</p>"],
    ["frames", '<iframe src="https://a.b"></iframe>', ""],
    ["event handlers", '<sub onclick="x()">2</sub>', "<p><sub>2</sub></p>"],
    ["style attributes", '<kbd style="position:fixed">K</kbd>', "<p><kbd>K</kbd></p>"],
    ["foreign classes and ids", '<sup id="location" class="btn">2</sup>', "<p><sup>2</sup></p>"],
    ["forms", '<form action="/x"><input type="text" name="a"></form>', '<div><input type="checkbox" disabled></div>'],
    ["elements with no meaning here", "<b>bold</b> <u>u</u>", "<p>bold u</p>"],
    [
      "svg",
      '<svg onload="alert(1)"><a href="x">y</a></svg>',
      '<p><a href="x" rel="noopener noreferrer nofollow">y</a></p>',
    ],
    ["cells without a table", "<td>x</td>", "x"],
    ["struck words", "<s>60</s> <strike>70</strike> 65 °C", "<p><del>60</del> <del>70</del> 65 °C</p>"],
    ["terms", "<dl><dt>pH</dt><dd>7</dd></dl>", "<div><div>pH</div><div>7</div></div>"],
    ["fields", "5 <textarea>mg</textarea>", "<p>5 </p><div>mg</div><p></p>"],
    ["numbers of items", '<ol><li value="7">a</li></ol>', '<ol><li value="7">a</li></ol>'],
    [
      "captions of images of others",
      '![a](b.png "5 bar")',
      '<figure><a href="b.png" rel="noopener noreferrer nofollow">a</a><figcaption>5 bar</figcaption></figure>',
    ],
  ])("disarms %s", (_, markdown, html) => {
    expect(renderHtml(markdown)).toBe(html);
  });

  it("keeps merged cells, details and other HTML of the allow-list", () => {
    const markdown =
      '<table><tr><th colspan="2" onclick="x">a</th></tr><tr><td rowspan="2">b</td><td>c<br>d</td></tr></table>\n\n' +
      "<details open><summary>More</summary>\n\nH<sub>2</sub>O\n\n</details>";
    expect(renderHtml(markdown)).toBe(
      '<table><tbody><tr><th colspan="2">a</th></tr><tr><td rowspan="2">b</td><td>c<br>d</td></tr></tbody></table>\n' +
        "<details open><summary>More</summary>\n<p>H<sub>2</sub>O</p>\n</details>",
    );
  });

  it("marks links that leave the page, and leaves anchors alone", () => {
    expect(renderHtml("[a](https://a.example) [b](/sop/1) [c](#here)")).toBe(
      '<p><a href="https://a.example" rel="noopener noreferrer nofollow">a</a> ' +
        '<a href="/sop/1" rel="noopener noreferrer nofollow">b</a> <a href="#here">c</a></p>',
    );
  });

  it("names headings safely and lets anchors meet them", () => {
    expect(
      renderHtml("## Größe & Maß\n\n## Purpose\n\n## Purpose\n\n[x](#purpose-1) [y](#gr%C3%B6%C3%9Fe--ma%C3%9F)"),
    ).toBe(
      '<h2 id="user-content-größe--maß">Größe &#x26; Maß</h2>\n<h2 id="user-content-purpose">Purpose</h2>\n' +
        '<h2 id="user-content-purpose-1">Purpose</h2>\n' +
        '<p><a href="#user-content-purpose-1">x</a> <a href="#user-content-größe--maß">y</a></p>',
    );
  });

  it("shows pictures of our own store only, others as links", () => {
    const own = `/api/assets/${sha}.png`;
    expect(renderHtml(`![Valve](${own})`)).toBe(`<p><img src="${own}" alt="Valve" loading="lazy"></p>`);
    expect(renderHtml("![Valve](https://a.example/v.png)")).toBe(
      '<p><a href="https://a.example/v.png" rel="noopener noreferrer nofollow">Valve</a></p>',
    );
    expect(renderHtml("[![Valve](https://a.example/v.png)](/sop/1)")).toBe(
      '<p><a href="/sop/1" rel="noopener noreferrer nofollow">Valve</a></p>',
    );
    expect(renderHtml("![Valve](javascript:1) ![](/api/assets/../users)")).not.toContain("<img");
  });

  it("shows the title of an image as its caption, as a block of its own", () => {
    const image = `![Valve](/api/assets/${sha}.png "Turn it  slowly <b>")`;
    const figure = `<figure><img src="/api/assets/${sha}.png" alt="Valve" loading="lazy"><figcaption>Turn it slowly &#x3C;b></figcaption></figure>`;
    expect(renderHtml(image)).toBe(figure);
    expect(renderHtml(`Before:\n${image} *after*`)).toBe(`<p>Before:\n</p>${figure}<p><em>after</em></p>`);
    expect(renderHtml(`1. Open it ${image}\n2. Close it`)).toBe(
      `<ol>\n<li>Open it ${figure}</li>\n<li>Close it</li>\n</ol>`,
    );
    expect(renderHtml(`| A |\n| --- |\n| ${image} |`)).toContain(`<td>${figure}</td>`);
    // in a link or a heading there is no place for a block
    expect(renderHtml(`[${image}](/sop/1)`)).not.toContain("figure");
    expect(renderHtml(`## A ${image}`)).not.toContain("figure");
    expect(htmlToMarkdown(renderHtml(`Before.\n\n${image}\n`)).markdown).toBe(
      `Before.\n\n![Valve](/api/assets/${sha}.png "Turn it slowly <b>")\n`,
    );
  });

  it.each([
    ["[!danger] Hot oil", "<p><strong>Hot oil</strong></p>\n<p>Stop</p>"],
    ["[!DANGER] Hot oil", "<p><strong>Hot oil</strong></p>\n<p>Stop</p>"],
    ["[!Danger]- Hot *oil*", "<p><strong>Hot <em>oil</em></strong></p>\n<p>Stop</p>"],
    ["[!danger]+ **Hot** oil", "<p><strong>Hot</strong> oil</p>\n<p>Stop</p>"],
    ["[!danger|red] Hot\\", "<p><strong>Hot</strong></p>\n<p>Stop</p>"],
    ["[!danger]-", "<p>Stop</p>"],
  ])("renders an alert with what other tools write beside its mark: %s", (line, expected) => {
    const box = `<div class="alert alert-danger">\n<p class="alert-title">Danger</p>\n${expected}\n</div>`;
    expect(renderHtml(`> ${line}\n> Stop\n`)).toBe(box);
    expect(renderHtml(`- a\n\n  > ${line}\n  > Stop\n`)).toContain(expected);
  });

  it("renders alerts as boxes with a title", () => {
    expect(renderHtml("> [!WARNING]\n> Hot **surface**\n>\n> - a")).toBe(
      '<div class="alert alert-warning">\n<p class="alert-title">Warning</p>\n<p>Hot <strong>surface</strong></p>\n' +
        "<ul>\n<li>a</li>\n</ul>\n</div>",
    );
    expect(renderHtml("> [!danger]\n>\n> Stop")).toContain('<p class="alert-title">Danger</p>');
    expect(renderHtml("> [!OTHER]\n> text")).toBe("<blockquote>\n<p>[!OTHER]\ntext</p>\n</blockquote>");
    expect(renderHtml("> [!OTHER]- text")).toContain("<blockquote>");
  });

  it("renders task lists, footnotes, strikethrough, code with its language", () => {
    expect(renderHtml("- [x] done")).toContain(
      '<li class="task-list-item"><input type="checkbox" checked disabled> done</li>',
    );
    expect(renderHtml("a[^1]\n\n[^1]: b")).toContain('<a href="#user-content-fnref-1" data-footnote-backref=""');
    expect(renderHtml("~~a~~")).toBe("<p><del>a</del></p>");
    expect(renderHtml("```js\na<b\n```")).toBe('<pre><code class="language-js">a&#x3C;b\n</code></pre>');
  });

  it("refuses what nests deeper than the stack", () => {
    expect(() => renderHtml(">".repeat(20_000))).toThrow(/nested too deeply/);
  });
});

describe("hrefIfSafe", () => {
  it.each([...linkSchemes])("allows %s", (scheme) => {
    expect(hrefIfSafe(`${scheme}:x`)).toBe(`${scheme}:x`);
    expect(hrefIfSafe(`${scheme.toUpperCase()}:x`)).toBe(`${scheme.toUpperCase()}:x`);
  });

  it.each(["/sop/1", "#a", "?q=1", "other.md", "a/b:c", "./x"])("allows %s on this host", (url) => {
    expect(hrefIfSafe(url)).toBe(url);
  });

  it.each([
    "javascript:1",
    "vbscript:1",
    "file:///etc",
    "irc:x",
    "\u0001javascript:1",
    "java\nscript:1",
    "//a",
    "\\\\a",
    "/\t/a",
    "blob:x",
  ])("refuses %j", (url) => {
    expect(hrefIfSafe(url)).toBeUndefined();
  });
});

describe("rendered HTML inside a page", () => {
  const inPage = (html: string) => `<body><div><article>${html}</article></div><p>After</p></body>`;

  it("stays in its article when raw HTML nests links, items and tables", () => {
    const nested =
      '1. [<table> 5](<https://a.example/> "t") [5](<https://a.example/>)\n\n> [!WARNING]\n> [<li> 5](<https://a.example/>)\n\n- [x] [5](<https://a.example/>)\n';
    const html = renderHtml(nested);
    expect(htmlWords(inPage(html), "article")).toEqual(["55", "WARNING", "5", "5"]);
  });

  it("has the same words in its article as alone, for any text", () => {
    fc.assert(
      fc.property(anyMarkdown, (markdown) => {
        const html = renderHtml(markdown);
        expect(htmlWords(inPage(html), "article")).toEqual(htmlWords(html));
      }),
      { numRuns: 300 },
    );
  });
});
