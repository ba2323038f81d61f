/** The words that a reader of an export sees, and texts that try to change them. */
import { unzipSync } from "fflate";
import fc from "fast-check";
import type { Element, Nodes } from "hast";
import type { ExportBlock, ExportInline } from "#core/export/blocks.ts";
import type { ExportDocument } from "#core/export/document.ts";
import { parseHtml, parseHtmlPage } from "#core/markdown/html-tree.ts";

/** A stored image, and a missing one. */
export const stored = `${"ab".repeat(32)}.png`;
export const missing = `${"cd".repeat(32)}.png`;

const apart =
  /^(h[1-6]|p|ul|ol|li|table|thead|tbody|tfoot|tr|td|th|caption|pre|blockquote|hr|div|section|figure|figcaption|details|summary|br|input|header|main|article|footer|dl|dt|dd)$/;

/**
 * The children in the order on screen. A browser shows a summary before the rest of its details, and a table's head and
 * foot at its ends.
 */
function inShownOrder(node: Element): Nodes[] {
  const first = (name: string) => node.children.find((child) => child.type === "element" && child.tagName === name);
  if (node.tagName === "details") {
    const summary = first("summary");
    return summary ? [summary, ...node.children.filter((child) => child !== summary)] : node.children;
  }
  if (node.tagName !== "table") return node.children;
  const [head, foot] = [first("thead"), first("tfoot")];
  const captions = node.children.filter((child) => child.type === "element" && child.tagName === "caption");
  const rest = node.children.filter((child) => child !== head && child !== foot && !captions.includes(child));
  return [...captions, ...(head ? [head] : []), ...rest, ...(foot ? [foot] : [])];
}

function shownText(node: Nodes): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return "children" in node ? node.children.map(shownText).join("") : "";
  if (node.tagName === "img")
    return imageWords(String(node.properties["src"] ?? ""), String(node.properties["alt"] ?? ""));
  if (node.properties["id"] === "footnote-label") return " ";
  const text = inShownOrder(node).map(shownText).join("");
  return apart.test(node.tagName) ? ` ${text} ` : text;
}

/** The words of a missing image, for which a browser shows the alternative text. */
function imageWords(src: string, alt: string): string {
  if (src.includes(stored) || src.startsWith("data:")) return "";
  return alt === "" ? "[Picture]" : `[Picture: ${alt}]`;
}

/**
 * The words of a text. Screens show titles of alerts in capitals. Arrows that lead from notes back to the text aren't
 * words. The mark that keeps a number's order in right-to-left text has no width. Boxes are elements on screens, but
 * letters on paper.
 */
export function wordsOf(text: string): string[] {
  const words = text.replace(/(?:↩\d?)+|\u200e/g, "").replace(/[☐☑☒]/g, " ");
  return words.toUpperCase().split(/\s+/).filter(Boolean);
}

/** @param html the HTML of the screen, or of a page @param name an element to leave out */
export function htmlWords(html: string, name?: string): string[] {
  const tree = name === undefined ? parseHtml(html) : parseHtmlPage(html);
  const found = name === undefined ? [tree] : elementsIn(tree).filter(({ tagName }) => tagName === name);
  return wordsOf(found.map(shownText).join(" "));
}

export function elementsIn(node: Nodes): Element[] {
  const inner = "children" in node ? node.children.flatMap(elementsIn) : [];
  return node.type === "element" ? [node, ...inner] : inner;
}

/**
 * Removes signs before list items. Lists nested too deeply for paper become text with a sign or number before each
 * item. The comparison leaves such signs out of the screen's words too, because a text can have one itself.
 */
export function withoutSigns(words: readonly string[]): string[] {
  return words.filter((word) => !/^(?:–|\d+\.)$/.test(word));
}

/** The words of a text, then those of its notes. */
export function blockWords(blocks: readonly ExportBlock[]): string[] {
  const notes: string[] = [];
  const inline = (node: ExportInline): string => {
    switch (node.type) {
      case "text":
      case "code":
        return node.text;
      case "break":
        return " ";
      case "image":
        return imageWords(node.asset, node.alt);
      case "footnote":
        notes.push(node.children.map(block).join(" "));
        return String(node.number);
      case "footnote-again":
        return String(node.number);
      default:
        return node.children.map(inline).join("");
    }
  };
  const block = (one: ExportBlock): string => {
    switch (one.type) {
      case "paragraph":
      case "caption":
      case "heading":
        return one.children.map(inline).join("");
      case "list":
        return one.items.flatMap(({ children }) => children.map(block)).join(" ");
      case "table":
        return one.rows.flatMap(({ cells }) => cells.flatMap(({ children }) => children.map(block))).join(" ");
      case "code":
        return one.text;
      case "details":
        return [one.summary.map(inline).join(""), ...one.children.map(block)].join(" ");
      case "alert":
        return [one.title, ...one.children.map(block)].join(" ");
      case "quote":
        return one.children.map(block).join(" ");
      case "rule":
        return "";
    }
  };
  return withoutSigns(wordsOf([...blocks.map(block), ...notes].join(" ")));
}

/** The words of a Word file below its control block, then those of its notes. */
export function docxWords(bytes: Uint8Array): string[] {
  const files = unzipSync(bytes);
  const part = (name: string) => new TextDecoder().decode(files[name]);
  const body = part("word/document.xml");
  const after = body.slice(body.indexOf("</w:tbl>"));
  const notes = [
    ...part("word/footnotes.xml").matchAll(/<w:footnote [^>]*w:id="([1-9]\d*)"[^>]*>([^]*?)<\/w:footnote>/g),
  ]
    .sort(([, one], [, other]) => Number(one) - Number(other))
    .map(([, , xml]) => xmlText(xml ?? ""));
  return withoutSigns(wordsOf([xmlText(after), ...notes].join(" ")));
}

function xmlText(xml: string): string {
  const pieces = /<w:t(?: [^>]*)?>([^<]*)<\/w:t>|<w:footnoteReference w:id="(\d+)"|<w:br\/>|<w:tab\/>|<\/w:p>/g;
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return [...xml.matchAll(pieces)]
    .map(([, text, note]) => text?.replace(/&(\w+);/g, (_, name: string) => named[name] ?? "?") ?? note ?? " ")
    .join("");
}

const snippets = [
  "5|mg|Give|once|50 mg|&lt;b&gt;|&#60;h2&#62;|&amp;amp;|&nbsp;|a&shy;b|\\<|\\|".split("|"),
  ["|", "`", "``", "*", "**", "_x_", "~~del~~", "]", "[", ")", "(", "!", "<", ">", '"', "'", "\\", "#", "\n", "  \n"],
  ["<!--", "-->", "<!-- x -->", "]]>", "<![CDATA[x]]>", "<?x?>", "<!doctype html>", "</article>", "</main>", "</body>"],
  ["<h2>Dose</h2>", "<h2 class=sr-only>Dose</h2>", "<h2 id=footnote-label class=sr-only>Dose</h2>", "<h3>", "</h3>"],
  [
    "<meta http-equiv=refresh content=0;url=https://evil.example>",
    "<base href=https://evil.example>",
    "<script>x</script>",
  ],
  [
    "<img src=x onerror=alert(1)>",
    "<svg><style>",
    "<math><mtext>",
    "</svg>",
    "<textarea>",
    "<title>",
    "<template>",
    "<select>",
  ],
  [
    "<table>",
    "<tr>",
    "<td>",
    "</td>",
    "</table>",
    "<thead>",
    "<tfoot>",
    "<caption>",
    "<table><tfoot><tr><td>end</td></tr></tfoot><tr><td>row",
  ],
  [
    "<ul>",
    "<ul>loose",
    "<ol start=5b>",
    "<ol start=-3>",
    "<li>",
    "</li>",
    "</ul>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<pre>",
    "</pre>",
  ],
  [
    "<details>",
    "<summary>",
    "</summary>",
    "</details>",
    "<details open>x<summary>Second</summary>",
    "<a href=x>",
    "</a>",
    "<sup>",
    "<sub>",
  ],
  ["<figure>", "</figure>", "<figcaption>", "</figcaption>", `![A](/api/assets/${"ab".repeat(32)}.png "Turn it")`],
  [
    "<kbd>",
    "</kbd>",
    "<code>",
    "</code>",
    "<br>",
    "<hr>",
    "<input>",
    "<del>",
    "</del>",
    "<font>",
    "<form>",
    "<button>",
  ],
  [
    "\u202egm 05",
    "\u2066x\u2069",
    "\u0000",
    "\u0007",
    "\u200b",
    "\ufeff",
    "\u00ad",
    "\ue000",
    "\u2028",
    "\u05e9\u05dc",
    "\u{1f600}",
  ],
].flat();

/** Words that exports add, used as words of a text. */
const saidByExports = [
  "\\[Picture: 5 mg\\]",
  "\\[Picture\\]",
  "Picture: 5 mg",
  "Picture not available",
  "Danger",
  "**Warning** Give 5 mg",
  "## Footnotes",
  "1 Note",
  "– 5 mg",
  "Printed = uncontrolled copy",
  "Page 1 of 1",
];

/** Imitations of parts that exports read in a special way. */
const imitations = [
  "<section data-footnotes><ol><li id=user-content-fn-1>",
  "<section data-footnotes>hidden",
  "</section>",
  "<sup><a data-footnote-ref href=#user-content-fn-n>50</a></sup>",
  "<sup><a data-footnote-ref href=#user-content-fn-n>1</a></sup>",
  "<a data-footnote-backref href=#user-content-fnref-n-50>↩50</a>",
  "<a data-footnote-backref>50 mg</a>",
  '<div class="alert alert-danger"><p class=alert-title>Give 5 mg</p>',
  "<p class=alert-title>Danger</p>",
  '<li class="task-list-item">',
  "<h2 id=footnote-label class=sr-only>Footnotes</h2>",
  "<em>[Picture: 5 mg]</em>",
  ...saidByExports,
];

const text = fc.array(fc.constantFrom(...snippets), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(" "));
const line = text.map((one) => one.replace(/\s*\n\s*/g, " "));
const image = fc
  .tuple(line, fc.constantFrom(stored, missing), fc.option(line))
  .map(
    ([alt, name, title]) =>
      `![${alt}](/api/assets/${name}${title === null ? "" : ` "${title.replaceAll('"', "&quot;")}"`})`,
  );
const link = fc
  .tuple(line, fc.constantFrom("https://a.example/?a=1&b=<2>", "#dose", "../x.md", "javascript:x"))
  .map(([words, to]) => `[${words}](<${to.replace(/[<>]/g, "")}> "t")`);
const inline = fc.array(fc.oneof(text, image, link), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(" "));
const oneLine = inline.map((one) => one.replace(/\s*\n\s*/g, " "));

const part = fc.oneof(
  inline,
  oneLine.map((words) => `## ${words}`),
  fc
    .array(oneLine, { minLength: 1, maxLength: 3 })
    .map((items) => items.map((one, at) => `${at + 1}. ${one}`).join("\n")),
  fc.array(oneLine, { minLength: 1, maxLength: 3 }).map((items) => items.map((one) => `- [x] ${one}`).join("\n")),
  fc.tuple(oneLine, oneLine).map(([a, b]) => `| A | B |\n|---|---|\n| ${a} | ${b} |`),
  oneLine.map((words) => `> ${words}`),
  oneLine.map((words) => `> [!WARNING]\n> ${words}`),
  line.map((words) => `\`\`\`\n${words}\n\`\`\``),
  fc.tuple(line, oneLine).map(([a, b]) => `<details><summary>${a}</summary>\n\n${b}\n\n</details>`),
  oneLine.map((words) => `noted[^n] ${words}`),
);

const note = line.map((words) => `[^n]: Note ${words.replaceAll("[", "(")}`);

/** Markdown that tries to make an export show other words than the screen. */
const hostileMarkdown = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 6 }), note)
  .map(([parts, last]) => [...parts, last].join("\n\n"));

/** Hostile Markdown with imitations of the renderer's own output. */
const imitatingMarkdown = fc
  .tuple(fc.array(fc.oneof(part, fc.constantFrom(...imitations)), { minLength: 1, maxLength: 6 }), note)
  .map(([parts, last]) => [...parts, "noted[^n]", last].join("\n\n"));

/** Texts with all tricks, half of them with imitations. */
export const anyMarkdown = fc.oneof(hostileMarkdown, imitatingMarkdown);

export function documentOf(markdown: string, more: Partial<ExportDocument> = {}): ExportDocument {
  return {
    number: "SOP-0001",
    version: 1,
    workingCopy: false,
    state: "published",
    title: "Title",
    description: "",
    markdown,
    lang: null,
    category: null,
    company: null,
    owner: null,
    writtenBy: null,
    changeClass: null,
    approvals: [],
    effective: null,
    reviewBy: null,
    contentHash: null,
    tags: [],
    at: "2026-01-01T00:00:00.000Z",
    ...more,
  };
}
