/** Finds headings by the fragments that links use. Each tool derives another fragment from the same heading. */
import GithubSlugger from "github-slugger";
import { headingDepth } from "#core/dialects/boxes.ts";
import { fencedLineFlags, isBlankLine, toLines } from "#core/text/lines.ts";
import { percentDecoded } from "#core/text/percent-decoded.ts";

export interface HeadingLookup {
  /** Returns the heading's anchor for a link's fragment, both without `#`; undefined if no heading has that name. */
  find(name: string): string | undefined;
}

const list = /[ \t]*\{:?[ \t]*(?:[^{}\n]*[ \t])?#([\w:.-]+)[^{}\n]*\}[ \t]*#*[ \t]*$/;
const idOf = /<[a-z][^<>]*\s(?:id|name)=["']?([^"'<>\s]+)/gi;

/**
 * Creates the lookup of a text's headings.
 * @param text the stored text
 * @param original the text before its import, in which headings can have explicit ids
 */
export function createHeadingLookup(text: string, original = text): HeadingLookup {
  const slugger = new GithubSlugger();
  const slugs = new Set<string>();
  const named = new Map<string, string>();
  const byWords = new Map<string, string>();
  const waiting: string[] = [];
  let above = "";
  for (const { title, ids } of headingLinesOf(text)) {
    waiting.push(...ids);
    if (title === undefined) continue;
    above = slugger.slug(title.replace(list, ""));
    slugs.add(above);
    for (const key of headingKeysOf(above)) if (!byWords.has(key)) byWords.set(key, above);
    for (const id of waiting.splice(0)) if (!named.has(id)) named.set(id, above);
  }
  // ids below the last heading name that heading
  if (above !== "") for (const id of waiting) if (!named.has(id)) named.set(id, above);
  for (const { title } of headingLinesOf(original)) {
    const [, id] = list.exec(title ?? "") ?? [];
    const slug = byWords.get(lettersAndDigits((title ?? "").replace(list, "")));
    if (id !== undefined && slug !== undefined && !named.has(id)) named.set(id, slug);
  }
  return {
    find(fragment) {
      const name = percentDecoded(fragment).normalize("NFC");
      if (slugs.has(name)) return name;
      const key = headingKeysOf(name).find((one) => byWords.has(one));
      return named.get(name) ?? (slugs.has(name.toLowerCase()) ? name.toLowerCase() : byWords.get(key ?? ""));
    },
  };
}

/** Keeps only letters and digits, because "A - B" becomes a-b, a---b or a_b. */
function lettersAndDigits(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Returns the keys by which a heading is found. MkDocs drops letters outside of ASCII, so the second key has none. */
function headingKeysOf(slug: string): string[] {
  const words = lettersAndDigits(slug);
  const ascii = words.replace(/[^a-z0-9]/g, "");
  return [words, ascii].filter((key) => /[\p{L}]/u.test(key) || (key !== "" && key === words));
}

interface HeadingLine {
  title?: string;
  ids: string[];
}

/** The headings in the order of the text, with the ids of HTML above or in them. */
function headingLinesOf(text: string): HeadingLine[] {
  const lines = toLines(text, 1);
  const fenced = fencedLineFlags(lines);
  const found: HeadingLine[] = [];
  lines.forEach(({ text: line }, index) => {
    if (fenced[index] || isBlankLine(line)) return;
    const ids = line.includes("<") ? [...line.matchAll(idOf)].map(([, id = ""]) => id) : [];
    const title = headingTitleIn(line, lines[index + 1]?.text ?? "", isBlankLine(lines[index - 1]?.text ?? ""));
    if (title !== undefined) found.push({ title: titleWithoutMarkup(title), ids });
    else if (ids.length > 0) found.push({ ids });
  });
  return found;
}

function headingTitleIn(line: string, below: string, isFirst: boolean): string | undefined {
  // a heading can be in a quote or a list item
  const bare = line.replace(/^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*/, "");
  const depth = headingDepth(bare);
  if (depth > 0) {
    return bare
      .trim()
      .slice(depth)
      .replace(/[ \t]#+$/, "")
      .trim();
  }
  if (isFirst && /^ {0,3}(?:=+|-+)[ \t]*$/.test(below)) return line.trim();
  return /^<h[1-6]\b[^<>]*>(.*)<\/h[1-6]>/i.exec(bare)?.[1];
}

function titleWithoutMarkup(title: string): string {
  return title
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/[`*]|(?<!\w)_|_(?!\w)/g, "")
    .trim();
}
