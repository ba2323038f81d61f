import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faithfulSeeds, isNightly } from "../../../test/nightly.ts";
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
      if (word.pre || /^[☐☒]$/.test(word.text) || (name === "bold" && (word.heading || other.heading))) continue;
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

/** Documents of any nesting. Words are `w1`, `w2`, …; figures touch what is beside them. */
function anyDocument(): fc.Arbitrary<string> {
  const { block } = fc.letrec<{ inline: string; block: string; flow: string; item: string }>((tie) => ({
    inline: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(
        " WORD ",
        "WORD",
        " <s>WORD</s> ",
        "5",
        " ",
        "<br>",
        "80 °C",
        `<img src="${image("b")}" alt="A">`,
      ),
      fc.constantFrom(
        "<input type=checkbox checked>",
        "<input type=radio>",
        "<wbr>",
        "<o:p>&nbsp;</o:p>",
        "<!-- c -->",
      ),
      fc.tuple(fc.constantFrom(...inlineTags), fc.array(tie("inline"), { minLength: 1, maxLength: 3 })).map(wrap),
      fc.tuple(fc.constantFrom(...inlineTags), fc.array(tie("block"), { minLength: 1, maxLength: 2 })).map(wrap),
    ),
    flow: fc
      .oneof(fc.array(tie("inline"), { maxLength: 3 }), fc.array(tie("block"), { maxLength: 2 }))
      .map((all) => all.join("")),
    item: fc
      .tuple(fc.constantFrom("<li>", "<li>", "<li value=7>", "<li role=x>"), tie("flow"))
      .map(([tag, content]) => `${tag}${content}WORD</li>`),
    block: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom("<p>WORD</p>", "WORD", "<hr>", "<pre>WORD\n\n  WORD</pre>", "<p></p>", "<div> </div>"),
      fc.tuple(fc.constantFrom(...blockTags), fc.array(tie("inline"), { minLength: 1, maxLength: 3 })).map(wrap),
      fc.tuple(fc.constantFrom(...blockTags), fc.array(tie("block"), { minLength: 1, maxLength: 2 })).map(wrap),
      fc
        .tuple(
          fc.constantFrom("ul", "ol", "ol start=4", "ol type=a", "menu"),
          fc.array(fc.oneof({ weight: 4, arbitrary: tie("item") }, tie("block")), { minLength: 1, maxLength: 3 }),
        )
        .map(wrap),
      fc
        .tuple(
          fc.constantFrom("", "<caption>WORD</caption>"),
          fc.array(
            fc.array(fc.tuple(fc.constantFrom("td", "th", "td colspan=2", "td rowspan=2"), tie("flow")), {
              minLength: 1,
              maxLength: 3,
            }),
            { minLength: 1, maxLength: 3 },
          ),
        )
        .map(
          ([caption, rows]) =>
            `<table>${caption}${rows.map((cells) => `<tr>${cells.map(([tag, content]) => wrap([tag, [content]])).join("")}</tr>`).join("")}</table>`,
        ),
      fc.tuple(tie("inline"), tie("flow")).map(([term, text]) => `<dl><dt>${term}WORD</dt><dd>${text}</dd></dl>`),
    ),
  }));
  return fc.array(block, { minLength: 1, maxLength: 3 }).map((blocks) => {
    let count = 0;
    return blocks.join("").replaceAll("WORD", () => `w${(count += 1)}`);
  });
}

const inlineTags = [
  "b",
  "strong",
  "i",
  "em",
  "u",
  "span",
  "font",
  "a href=https://example.org/a",
  "sub",
  "sup",
  "kbd",
  "code",
  "ins",
  "mark",
  "label",
  "q",
  "small",
  "span style='font-weight:700'",
  "span style='font-weight:400'",
  "b style='font-weight:normal'",
];
const blockTags = [
  "p",
  "div",
  "section",
  "center",
  "h2",
  "h4",
  "blockquote",
  "article",
  "figure",
  "address",
  "form",
  "details",
  "li",
];

function wrap([tag, content]: readonly [string, readonly string[]]): string {
  return `<${tag}>${content.join("")}</${tag.replace(/ .*/, "")}>`;
}

describe("words of HTML", () => {
  it.each(Object.keys(contexts))("are the same in each element inside %s", (name) => {
    const around = contexts[name] ?? ((html: string) => html);
    const at = Object.keys(contexts).indexOf(name);
    const found = names.flatMap((element, index) => {
      if (!isNightly && (index + at) % 6 > 0) return [];
      return Object.values(contents).flatMap((content) => {
        const html = around(`start <${element}>${content}</${element}> end`);
        return differences(html).map((difference) => `${html}\n  ${difference}`);
      });
    });
    expect(found).toEqual([]);
  });

  it("are the same in documents of any nesting", () => {
    fc.assert(
      fc.property(anyDocument(), (html) => {
        expect(differences(html)).toEqual([]);
      }),
      { numRuns: faithfulSeeds(150), seed: 33 },
    );
  });
});
