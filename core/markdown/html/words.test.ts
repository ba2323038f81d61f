import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seenIn, type SeenPage, type SeenWord } from "../../../test/seen-html.ts";
import { htmlToMarkdown } from "../from-html.ts";
import { parseHtml } from "../html-tree.ts";
import { renderHtml } from "../render.ts";

const image = (letter: string) => `/api/assets/${letter.repeat(64)}.png`;

const seen = (html: string): SeenPage => seenIn(parseHtml(html));

/** What the words of a view differ in from those of the HTML; empty if a reader sees the same. */
function differences(html: string): string[] {
  const source = seen(html);
  const { markdown } = htmlToMarkdown(html);
  const result = seen(renderHtml(markdown));
  const texts = (page: SeenPage) =>
    page.words.map(({ text }) => text).filter((text) => text !== "·" && !/^_+$/.test(text));
  const [before, after] = [texts(source), texts(result)];
  if (before.join(" ") !== after.join(" ")) return [`words: ${before.join(" ")} → ${after.join(" ")}`];
  const found: string[] = [];
  if (source.images.toSorted().join(" ") !== result.images.toSorted().join(" ")) found.push("images");
  const code = (page: SeenPage) =>
    page.code
      .map((text) => text.replace(/\n+/g, "\n").trim())
      .toSorted()
      .join("\n---\n");
  if (code(source) !== code(result)) found.push(`code: ${code(source)} → ${code(result)}`);
  const others = result.words.filter(({ text }) => text !== "·" && !/^_+$/.test(text));
  source.words.forEach((word, index) => {
    const other = others[index] as SeenWord;
    for (const name of ["bold", "italic", "struck", "href", "shift"] as const) {
      if (word.pre || (name === "bold" && (word.heading || other.heading))) continue;
      if (word[name] !== other[name]) found.push(`${word.text}: ${name} ${word[name]} → ${other[name]}`);
    }
    if (word.cell !== other.cell) found.push(`${word.text}: cell ${word.cell} → ${other.cell}`);
    if (word.items !== other.items && !word.items.includes("*") && !other.items.includes("*"))
      found.push(`${word.text}: item ${word.items} → ${other.items}`);
  });
  return found;
}

const names = (
  "a abbr acronym address article aside b bdi bdo big blink blockquote button center cite code data dd del details dfn " +
  "dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup i ins kbd label " +
  "legend li listing main map mark marquee menu meter nav nobr noscript object ol output p picture pre progress q rb rp " +
  "rt ruby s samp search section slot small span strike strong sub summary sup table tbody td template tfoot th thead " +
  "time title tr tt u ul var video xmp custom-element o:p script style iframe canvas audio hr br wbr"
).split(" ");

const contents: Record<string, string> = {
  text: "w1 80<br>85 w2",
  block: "5<p>6</p>7<div>8</div>",
  list: "w1<ol start=4><li>w2</li><li value=9>w3<ul><li>w4</li></ul></li></ol>w5",
  table: "w1<table><tr><th>w2</th><th>w3</th></tr><tr><td>w4</td><td><p>w5</p><p>w6</p></td></tr></table>w7",
  image: `w1 <img src="${image("a")}" alt="Valve"> w2`,
  code: "w1<pre>w2\n\n  w3</pre><code>w4</code>",
  boxes:
    "<label>Yes<input type=checkbox checked></label> <input type=radio>No <select><option>mg<option selected>ug</select>",
  link: '<a href="https://example.org/a">w1 <b>w2</b></a><s>w3</s>',
};

const contexts: Record<string, (html: string) => string> = {
  nothing: (html) => html,
  p: (html) => `<p>${html}</p>`,
  li: (html) => `<ol><li>${html}</li><li>next</li></ol>`,
  td: (html) => `<table><tr><th>head</th><th>b</th></tr><tr><td>${html}</td><td>next</td></tr></table>`,
  h2: (html) => `<h2>${html}</h2>`,
  b: (html) => `<b>${html}</b>`,
  a: (html) => `<a href="https://example.org/b">${html}</a>`,
  quote: (html) => `<blockquote>${html}</blockquote>`,
  summary: (html) => `<details><summary>title</summary>${html}</details>`,
  dd: (html) => `<dl><dt>term</dt><dd>${html}</dd></dl>`,
};

describe("words of HTML", () => {
  it.each(Object.keys(contexts))("are the same in each element inside %s", (name) => {
    const around = contexts[name] ?? ((html: string) => html);
    const found = names.flatMap((element) =>
      Object.values(contents).flatMap((content) => {
        const html = around(`start <${element}>${content}</${element}> end`);
        return differences(html).map((difference) => `${html}\n  ${difference}`);
      }),
    );
    expect(found).toEqual([]);
  });
});
