import { readDocsLists, readWordLists } from "./paste-lists.ts";
import { readTables } from "./paste-tables.ts";

/**
 * Pasted HTML, made fit for a page without inline styles and scripts: what styles say (Word and Google Docs say bold that
 * way) becomes elements, the rest of them goes. The content security policy would block and report every `style` and
 * `onclick` at the moment the HTML is parsed, so they are renamed in the text first.
 */
export function cleanPastedHtml(html: string): string {
  const body = parseInert(html);
  if (/mso-|MsoNormal/.test(html)) readWord(body);
  readDocsLists(body);
  for (const element of body.querySelectorAll("script, style, iframe, object, embed, link, meta, svg, math")) {
    element.remove();
  }
  for (const element of body.querySelectorAll<HTMLElement>("[data-pasted-style]")) applyStyle(element);
  for (const element of body.querySelectorAll<HTMLElement>("[data-pasted-on]")) delete element.dataset["pastedOn"];
  // cells copied from an editor like this one are put into a table there as they are
  if (!html.includes("data-pm-slice") || body.querySelector("[colspan], [rowspan]")) readTables(body);
  return body.innerHTML;
}

/** What only Word writes: comments beside the text, deleted words, titles and lists by style. */
function readWord(body: HTMLElement): void {
  for (const element of body.querySelectorAll(
    '[data-pasted-style*="mso-element:comment"], .MsoCommentReference, .MsoCommentText, .msoDel, del[cite]',
  )) {
    element.remove();
  }
  readWordLists(body);
  for (const title of body.querySelectorAll("p.MsoTitle")) {
    const heading = body.ownerDocument.createElement("h1");
    heading.append(...title.childNodes);
    title.replaceWith(heading);
  }
  for (const office of body.querySelectorAll("*")) {
    // `o:p`, `w:sdt`, `st1:place`: the words stay
    if (office.localName.includes(":")) office.replaceWith(...office.childNodes);
  }
  for (const paragraph of body.querySelectorAll("p")) {
    if (paragraph.textContent.trim() === "" && !paragraph.querySelector("img")) paragraph.remove();
  }
}

/** Parses HTML into a document of its own, where nothing runs, nothing loads and no policy is violated. */
export function parseInert(html: string): HTMLElement {
  return new DOMParser().parseFromString(renameAttributes(html), "text/html").body;
}

/** Read in the order they stand in, so that none is taken for a part of another: comments, what holds no HTML, tags. */
const token = /<!--(?:-?>|[^]*?(?:--!?>|$))|<(style|script|iframe)(?=[\s/>])[^]*?(?:<\/\1\s*>|$)|<\/?[a-z][^\s/>]*/gi;
/** A name and its value, as HTML reads them: a quote counts at the beginning of a value alone. */
const attribute =
  /([ \t\n\f\r/]*)([^ \t\n\f\r/>][^ \t\n\f\r/>=]*)([ \t\n\f\r]*=[ \t\n\f\r]*(?:"[^"]*"|'[^']*'|[^ \t\n\f\r"'>][^ \t\n\f\r>]*|(?=>)))?/y;

function renameAttributes(html: string): string {
  let [made, at] = ["", 0];
  for (;;) {
    token.lastIndex = at;
    const found = token.exec(html);
    if (!found) return made + html.slice(at);
    made += html.slice(at, found.index);
    at = token.lastIndex;
    if (found[1]) continue;
    made += found[0];
    if (found[0].startsWith("<!")) continue;
    for (;;) {
      attribute.lastIndex = at;
      const [match, before = "", name = "", value = ""] = attribute.exec(html) ?? [];
      if (match === undefined) break;
      made += before + renamed(name) + value;
      at += match.length;
    }
  }
}

const renamed = (name: string): string =>
  /^style$/i.test(name) ? "data-pasted-style" : /^on[a-z]+$/i.test(name) ? "data-pasted-on" : name;

function applyStyle(element: HTMLElement): void {
  const style = element.dataset["pastedStyle"] ?? "";
  delete element.dataset["pastedStyle"];
  const hasStyle = (property: string, value: string) =>
    new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*${value}\\s*(?:;|$)`, "i").test(style);
  const align = /(?:^|;)\s*text-align\s*:\s*(left|right|center)/i.exec(style)?.[1];
  if (align && /^t[dh]$/i.test(element.tagName)) element.setAttribute("align", align.toLowerCase());
  // Google Docs wraps everything it copies in a <b> that is not bold
  if (/^(?:b|strong)$/i.test(element.tagName) && hasStyle("font-weight", "(?:normal|[1-4]00)")) {
    element.replaceWith(...element.childNodes);
    return;
  }
  if (hasStyle("font-weight", "(?:bold|bolder|[5-9]00)")) wrapContent(element, "strong");
  if (hasStyle("font-style", "italic")) wrapContent(element, "em");
  if (hasStyle("text-decoration(?:-line)?", "line-through[^;]*")) wrapContent(element, "del");
}

function wrapContent(element: HTMLElement, name: string): void {
  if (element.closest("h1, h2, h3, h4, h5, h6, th") || !element.firstChild) return;
  const wrapper = element.ownerDocument.createElement(name);
  wrapper.append(...element.childNodes);
  element.append(wrapper);
}

/** A picture copied from a page brings its address there as HTML, and itself as a file. */
export function isPictureAlone(html: string): boolean {
  const body = parseInert(html);
  return body.textContent.trim() === "" && body.querySelectorAll("img").length === 1;
}

/** Word and others name files of the computer they were copied on: no page may read these. */
export function lostPictures(html: string): number {
  const all = [...parseInert(html).querySelectorAll("img:not([aria-roledescription=checkbox])")];
  return all.filter((picture) => /^(?:file|data|blob):/i.test(picture.getAttribute("src") ?? "")).length;
}
