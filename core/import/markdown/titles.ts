import { texts } from "./note-texts.ts";
import type { Heading, Nodes, Root, RootContent } from "mdast";
import { alertMark } from "#core/markdown/alerts.ts";
import { eachNode } from "#core/markdown/parse.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import { withoutUnseenCharacters } from "#core/text/clean-text.ts";
import type { ConversionReport } from "./report.ts";

const descriptionCharacters = 200;

function isH1(node: { type: string; depth?: number }): node is Heading {
  return node.type === "heading" && node.depth === 1;
}

/**
 * Finds the heading that is the document's title: the first one, if no other has a higher level. An H1 must begin the
 * text or be the only H1; a lower heading must be both first and the only one of its level. Headings in quotes and
 * lists don't count.
 */
export function titleHeading(tree: Root): Heading | undefined {
  const [first, ...others] = tree.children.filter((node): node is Heading => node.type === "heading");
  if (first === undefined || headingText(first) === "" || others.some(({ depth }) => depth < first.depth))
    return undefined;
  const isOnly = others.every(({ depth }) => depth > first.depth);
  return (first.depth === 1 && isOnly) || ((first.depth === 1 || isOnly) && beginsWithHeading(tree, first))
    ? first
    : undefined;
}

/** Tells whether nothing with words is above the heading. Images, comments and markup of other tools can be. */
function beginsWithHeading(tree: Root, heading: Heading): boolean {
  return tree.children.slice(0, tree.children.indexOf(heading)).every(hasNoWords);
}

const marks = /\{%[^]*?%\}|\{\{[^]*?\}\}|\{:?[^{}\n]*\}|\[\[?_?toc_?\]?\]/gi;

function hasNoWords(node: RootContent): boolean {
  if (node.type === "definition" || node.type === "footnoteDefinition") return true;
  return !/[\p{L}\p{N}]/u.test(plainText(withoutImages(node)).replace(marks, ""));
}

function withoutImages<T extends Nodes>(node: T): T {
  if (!("children" in node)) return node;
  const kept = node.children.filter(({ type }) => type !== "image" && type !== "imageReference");
  return { ...node, children: kept.map(withoutImages) };
}

/** Returns a text on one line, with single spaces. */
function oneLine(text: string): string {
  return withoutUnseenCharacters(text).replace(/\s+/g, " ").trim();
}

export function headingText(heading: Heading): string {
  return withoutUnseenCharacters(plainText(heading));
}

/** Returns the title of a file without one: from its title heading, or else from its file name. */
export function titleFromHeadingOrFileName(tree: Root, path: string): string {
  const heading = titleHeading(tree);
  const text = heading === undefined ? "" : headingText(heading);
  return text === "" ? titleFromFileName(path) : text;
}

/** Makes a title from a file's name, or from the folder's name for the home page of a folder. */
export function titleFromFileName(path: string): string {
  const parts = path.split("/");
  const file = (parts.at(-1) ?? "").replace(/\.[A-Za-z]+$/, "");
  const name = /^(?:_?index|readme)$/i.test(file) ? (parts.at(-2) ?? file) : file;
  const words = oneLine(name.normalize("NFC").replace(/[-_]+/g, " "));
  return words === "" ? "Untitled" : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the first paragraph with words, cut at a word to 200 characters; undefined without such a paragraph. */
export function descriptionOf(tree: Root): string | undefined {
  let found: string | undefined;
  eachNode(tree, (node) => {
    if (found !== undefined || node.type !== "paragraph") return;
    const text = oneLine(
      plainText(node)
        .replace(alertMark, "")
        .replace(/\{%.*?%\}/g, ""),
    );
    if (/[\p{L}\p{N}]{2}/u.test(text)) found = text;
  });
  return found === undefined ? undefined : shortenAtWord(found, descriptionCharacters);
}

/** Returns a text of at most `most` characters; a longer text is cut, at a word if possible, and gets an ellipsis. */
export function shortenAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, "").trimEnd()}…`;
}

/**
 * Removes an H1 at the beginning that equals the title, because a stored body has none. If another H1 remains, all
 * headings go one level down. Changes the tree and reports the changes.
 */
export function fitHeadingsBelowTitle(
  tree: Root,
  title: string,
  report: ConversionReport,
  lineOf: (line: number) => number,
): void {
  const first = titleHeading(tree);
  if (first?.depth === 1 && beginsWithHeading(tree, first) && isSameTitle(headingText(first), title)) {
    tree.children.splice(tree.children.indexOf(first), 1);
    report.add("first-heading", texts.firstHeading(), lineOfHeading(first, lineOf));
  }
  const headings: Heading[] = [];
  eachNode(tree, (node) => {
    if (node.type === "heading") headings.push(node);
  });
  const remaining = headings.find(isH1);
  if (remaining === undefined) return;
  for (const heading of headings) {
    heading.depth = Math.min(6, heading.depth + 1) as Heading["depth"];
    // an underlined heading can have several lines, but a heading with number signs can't
    eachNode(heading, (node) => {
      if (node.type === "text") node.value = node.value.replace(/\s*\n\s*/g, " ");
    });
  }
  report.add("headings", texts.lowered(), lineOfHeading(remaining, lineOf));
}

function isSameTitle(a: string, b: string): boolean {
  return oneLine(a).normalize("NFC") === oneLine(b).normalize("NFC");
}

function lineOfHeading(heading: Heading, lineOf: (line: number) => number): number | undefined {
  return heading.position === undefined ? undefined : lineOf(heading.position.start.line);
}
