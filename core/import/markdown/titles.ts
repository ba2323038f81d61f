import type { Heading, Root } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { eachNode } from "#core/markdown/parse.ts";
import type { Report } from "./report.ts";

const descriptionCharacters = 200;

function isH1(node: { type: string; depth?: number }): node is Heading {
  return node.type === "heading" && node.depth === 1;
}

/** The first heading of level 1 at the top level of the text. */
export function firstH1(tree: Root): Heading | undefined {
  return tree.children.find(isH1);
}

/** Text on one line, single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export function headingText(heading: Heading): string {
  return oneLine(textOf(heading, { includeHtml: false }));
}

/** The title a file without one gets: its first H1, else its name. */
export function titleOf(tree: Root, path: string): string {
  const heading = firstH1(tree);
  const text = heading === undefined ? "" : headingText(heading);
  return text === "" ? nameOf(path) : text;
}

/** A title made of a file's name. */
export function nameOf(path: string): string {
  const name =
    path
      .split("/")
      .at(-1)
      ?.replace(/\.[A-Za-z]+$/, "") ?? "";
  const words = oneLine(name.normalize("NFC").replace(/[-_]+/g, " "));
  return words === "" ? "Untitled" : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The first paragraph with words in it, cut at a word where it is longer than 200 characters. */
export function descriptionOf(tree: Root): string | undefined {
  let found: string | undefined;
  eachNode(tree, (node) => {
    if (found !== undefined || node.type !== "paragraph") return;
    const text = oneLine(
      textOf(node, { includeHtml: false })
        .replace(/^\[![A-Z]+\]/, "")
        .replace(/\{%.*?%\}/g, ""),
    );
    if (/[\p{L}\p{N}]{2}/u.test(text)) found = text;
  });
  return found === undefined ? undefined : shorten(found, descriptionCharacters);
}

/** At most `most` characters, cut at a word, the cut shown by an ellipsis. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, "").trimEnd()}…`;
}

/**
 * The body has no H1. Removes a first one equal to the title; if another remains, all headings go one level down.
 * Changes the tree and adds its changes to the report.
 */
export function lowerHeadings(tree: Root, title: string, report: Report, lineOf: (line: number) => number): void {
  const first = firstH1(tree);
  if (first !== undefined && same(headingText(first), title)) {
    tree.children.splice(tree.children.indexOf(first), 1);
    report.add("first-heading", "the first heading is the title and was dropped from the text", at(first, lineOf));
  }
  const headings: Heading[] = [];
  eachNode(tree, (node) => {
    if (node.type === "heading") headings.push(node);
  });
  const remaining = headings.find(isH1);
  if (remaining === undefined) return;
  for (const heading of headings) heading.depth = Math.min(6, heading.depth + 1) as Heading["depth"];
  report.add("headings", "all headings went one level down, because level 1 is the title", at(remaining, lineOf));
}

function same(a: string, b: string): boolean {
  return oneLine(a).normalize("NFC") === oneLine(b).normalize("NFC");
}

function at(heading: Heading, lineOf: (line: number) => number): number | undefined {
  return heading.position === undefined ? undefined : lineOf(heading.position.start.line);
}
