/** Splits a text into the passages that are compared: headings, paragraphs, steps, warnings, rows, code. */
import type { Nodes, Root, TableRow } from "mdast";
import { alertKindOf } from "#core/markdown/alerts.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import { signalWords, type FactLanguage } from "./fact-words.ts";
import { contentStemsOf } from "./facts.ts";

/** One heading, paragraph, step, warning, row or piece of code. */
export interface Passage {
  kind: "heading" | "paragraph" | "item" | "warning" | "row" | "code";
  /** The words without markup and without `[confirm: …]` blanks. */
  text: string;
  /** The texts of the cells; empty unless the passage is a table row. */
  cells: string[];
  /** True for a ticked task, false for an open one; null if the passage is no task. */
  checked: boolean | null;
}

export function passagesOf(markdown: string): Passage[] {
  const found: Passage[] = [];
  const addPassage = (kind: Passage["kind"], node: Nodes, checked: boolean | null = null): void => {
    const text = withoutBlanks(plainText(node));
    const isWarning = kind !== "row" && kind !== "heading" && signalWords.test(text);
    if (text !== "") found.push({ kind: isWarning ? "warning" : kind, text, cells: cellTextsOf(node), checked });
  };
  const walkNode = (node: Nodes, checked?: boolean | null): void => {
    switch (node.type) {
      case "heading":
      case "code":
        return addPassage(node.type, node);
      case "paragraph":
        return addPassage(checked === undefined ? "paragraph" : "item", node, checked ?? null);
      case "tableRow":
        return addPassage("row", node);
      case "blockquote": {
        const kind = alertKindOf(node);
        if (kind === undefined || kind === "note" || kind === "tip") return walkChildren(node);
        return addPassage("warning", node);
      }
      case "listItem":
        return node.children.forEach((child, index) =>
          walkNode(child, index === 0 ? (node.checked ?? null) : undefined),
        );
      default:
        if ("children" in node) walkChildren(node);
    }
  };
  const walkChildren = (node: Extract<Nodes, { children: unknown }> | Root): void =>
    node.children.forEach((child) => walkNode(child as Nodes));
  walkChildren(parseMarkdown(markdown));
  return found;
}

function cellTextsOf(node: Nodes): string[] {
  return node.type === "tableRow" ? (node as TableRow).children.map((cell) => plainText(cell)) : [];
}

/**
 * Removes `[confirm: …]` blanks. They block publishing until a person fills them, so their text needs no comparison.
 */
function withoutBlanks(text: string): string {
  return text.replace(/\[confirm:[^\]]*\]?/gi, "").trim();
}

export function passagesText(passages: readonly Passage[]): string {
  return passages.map(({ text }) => (/[.!?:;]$/.test(text) ? text : `${text}.`)).join(" ");
}

const leastAlike = 0.2;

/**
 * Finds the most similar passage of `now` for each passage of `old`; null means no match. Of equally similar passages,
 * the nearest one is taken.
 */
export function matchPassages(
  old: readonly Passage[],
  now: readonly Passage[],
  language: FactLanguage | null,
): (number | null)[] {
  const stemSets = (passages: readonly Passage[]) =>
    passages.map(({ text }) => new Set(contentStemsOf(text, language)));
  const [before, after] = [stemSets(old), stemSets(now)];
  const scores = before.flatMap((own, i) =>
    after.map((other, j) => {
      const shared = [...own].filter((stem) => other.has(stem)).length;
      const alike =
        old[i]?.text === now[j]?.text ? 1.5 : own.size + other.size === 0 ? 0 : (2 * shared) / (own.size + other.size);
      return { i, j, alike: alike + (i === j ? 0.15 : 0), isAlike: alike >= leastAlike };
    }),
  );
  const found: (number | null)[] = old.map(() => null);
  const taken = new Set<number>();
  for (const { i, j, isAlike } of scores.sort((a, b) => b.alike - a.alike)) {
    if (!isAlike || found[i] !== null || taken.has(j)) continue;
    found[i] = j;
    taken.add(j);
  }
  // with equal counts, a passage without a match is compared with the one at the same position
  if (old.length === now.length)
    found.forEach((at, index) => {
      if (at === null && !taken.has(index)) {
        found[index] = index;
        taken.add(index);
      }
    });
  return found;
}
