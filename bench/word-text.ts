/** The words of a Word file, read from its XML without the product, and the words that readers of its Markdown see. */
import { strFromU8, unzipSync } from "fflate";
import { renderHtml } from "../core/markdown/render.ts";
import { splitFrontMatter } from "../core/markdown/front-matter.ts";

/** Words that the file shows and the Markdown doesn't, each as often as it is missing. */
export function missingWords(bytes: Uint8Array, markdown: string): { words: number; missing: string[] } {
  const shown = countsOf(textsOfMarkdown(markdown));
  const all = wordsOf(textsOfWord(bytes).join("\n"));
  const missing = all.filter((word) => {
    const left = shown.get(word) ?? 0;
    shown.set(word, left - 1);
    return left <= 0;
  });
  return { words: all.length, missing };
}

const wordsOf = (text: string): string[] => text.normalize("NFKC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Paragraphs of the body, notes, diagrams and charts. Tables of contents are not part of it: the product says so. */
function textsOfWord(bytes: Uint8Array): string[] {
  const files = unzipSync(bytes);
  const part = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  const contents = new Set(
    [...part("word/styles.xml").matchAll(/<w:style\b[^>]*w:styleId="([^"]*)"[^>]*>\s*<w:name w:val="([^"]*)"/g)]
      .filter(([, , name = ""]) => /^toc /i.test(name))
      .map(([, id = ""]) => id),
  );
  const body = oneBranch(part("word/document.xml"));
  const paragraphs = body
    .replace(/<(?:\w+:)?(?:del|moveFrom)\b(?![^>]*\/>)[^>]*>[^]*?<\/w:(?:del|moveFrom)>/g, "")
    .split(/(?=<w:p[ >])|<\/w:p>/)
    .filter((text) => !contents.has(/<w:pStyle w:val="([^"]*)"/.exec(text)?.[1] ?? ""))
    .map((text) => runs(text, "w:t"));
  const notes = ["footnotes", "endnotes"].flatMap((name) =>
    part(`word/${name}.xml`)
      .split("</w:p>")
      .map((text) => runs(text, "w:t")),
  );
  const figures = Object.keys(files)
    .filter((name) => /^word\/(?:diagrams\/data|charts\/chart)\d*\.xml$/.test(name))
    .flatMap((name) => [
      ...part(name)
        .split("</a:p>")
        .map((text) => runs(text, "a:t")),
      ...new Set([...part(name).matchAll(/<c:strCache>[^]*?<\/c:strCache>/g)].map(([text]) => runs(text, "c:v", " "))),
    ]);
  return [...paragraphs, ...notes, ...figures];
}

/** Of two forms of one figure, the newer one if it has words. */
function oneBranch(xml: string): string {
  return xml.replace(/<mc:AlternateContent\b[^]*?<\/mc:AlternateContent>/g, (both) => {
    const [newer = "", older = ""] = both.split(/<mc:Fallback\b/);
    return /<w:t[ >]/.test(newer) ? newer : older;
  });
}

function runs(xml: string, name: string, between = ""): string {
  const parts = [
    ...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>|<w:(?:tab|br|cr|noBreakHyphen)\\b[^>]*/>`, "g")),
  ];
  return parts.map(([, text]) => decoded(text ?? " ")).join(between);
}

function textsOfMarkdown(markdown: string): string {
  const { raw, body } = splitFrontMatter(markdown);
  const blocks = "p|li|td|th|tr|table|h[1-6]|br|div|pre|blockquote|figure|figcaption|section|summary|details|caption";
  const html = renderHtml(body)
    .replace(new RegExp(`</?(?:${blocks})\\b[^>]*>`, "g"), " ")
    // the number of a note is no part of the word before it
    .replace(/<sup><a\b/g, " <sup><a")
    .replace(/<img\b[^>]*?\balt="([^"]*)"[^>]*>/g, " $1 ")
    .replace(/<[^>]*>/g, "");
  return `${raw ?? ""}\n${decoded(html)}`;
}

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal, hex, name) =>
    name === undefined
      ? String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
      : (named[name] ?? all),
  );
}
