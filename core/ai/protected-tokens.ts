import type { Nodes } from "mdast";
import { toString } from "mdast-util-to-string";
import { alertKind } from "#core/markdown/alerts.ts";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";

const units =
  "°[CF]|[%‰K]|[kcmµμn]?[mgls]|dl|hl|t|min|h|d|(?:second|minute|hour|day|week|month|year)s?|[mk]?bar|[kMh]?Pa|k?N|Nm|[km]?V|m?A|[kM]?W|[kMG]?Hz|rpm|psi|ppm|m?mol|lb|oz|ft|in|[KMGT]i?B|[cdmk]?m[²³]|dB";
const figure = new RegExp(
  `(?<![\\p{L}\\p{N}])[±<>≤≥~]?\\s?\\d(?:[\\d.,:/–-]*\\d)?(?:\\s?(?:${units})(?:/(?:${units}))?(?![\\p{L}\\p{N}]))?`,
  "gu",
);
const obligation =
  /(?<![\p{L}])(?:must not|must|shall not|shall|never|do not|don't|always|only|unless|prohibited)(?![\p{L}])/giu;

/**
 * Tokens that a reworded text must not lose: figures with their units, code, addresses, images, kinds of warnings, and
 * words that forbid or demand. Also open points, which no model settles: tasks and blanks to confirm. Counts each one.
 */
export function protectedTokens(markdown: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (token: string) => counts.set(token, (counts.get(token) ?? 0) + 1);
  const tree = parseMarkdown(markdown);
  const addresses = new Map<string, string>();
  eachNode(tree, (node) => {
    if (node.type === "definition" && !addresses.has(node.identifier)) addresses.set(node.identifier, node.url);
  });
  eachNode(tree, (node) => {
    for (const token of tokensOf(node, addresses)) add(token);
  });
  return counts;
}

/** The tokens that `before` has more often than `after`, each once. */
export function lostTokens(before: string, after: string): string[] {
  const left = protectedTokens(after);
  return [...protectedTokens(before)]
    .filter(([token, count]) => (left.get(token) ?? 0) < count)
    .map(([token]) => token);
}

/** @param addresses of definitions: without a reference, a definition is invisible */
function tokensOf(node: Nodes, addresses: ReadonlyMap<string, string>): string[] {
  switch (node.type) {
    case "link":
    case "image":
      return [node.url];
    case "linkReference":
    case "imageReference":
      return [addresses.get(node.identifier) ?? node.identifier];
    case "inlineCode":
    case "code":
      return [node.value];
    case "blockquote": {
      const kind = alertKind(node);
      return kind === undefined ? [] : [`[!${kind.toUpperCase()}]`];
    }
    case "listItem":
      return node.checked === false ? ["[ ]"] : [];
    case "paragraph":
    case "heading":
    case "tableCell":
      return wordsOf(toString(node));
    default:
      return [];
  }
}

function wordsOf(text: string): string[] {
  // step numbers are not in paragraphs, so each figure here belongs to the text
  const figures = [...text.matchAll(figure)].map(([found]) => found.replace(/\s/g, ""));
  const words = [...text.matchAll(obligation)].map(([found]) => found.toLowerCase().replace("don't", "do not"));
  const blanks = [...text.matchAll(/\[confirm:/gi)].map(() => "[confirm]");
  return [...figures, ...words, ...blanks];
}
