import type { Nodes } from "mdast";
import { alertKindOf } from "#core/markdown/alerts.ts";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import type { FactLanguage } from "./fact-words.ts";
import { factsOf, detectFactLanguage } from "./facts.ts";

/**
 * Words whose loss makes an edit invalid. Losing other words of `fact-words.ts` only marks the edit as a change of
 * meaning.
 */
const kept = new Set("≤ ≥ < > not never must only always forbidden unless without".split(" "));

interface ProtectedToken {
  /** The token as written. */
  raw: string;
  count: number;
}

/**
 * Tokens that a reworded text must not lose: figures with their units, part numbers, code, addresses, images, kinds of
 * warnings, and words that forbid, demand or limit. Open points count too, because no model can settle them: tasks, and
 * blanks to confirm. The map's keys are equal for two spellings of one figure or word.
 */
export function protectedTokens(
  markdown: string,
  language: FactLanguage | null = detectFactLanguage(markdown),
): Map<string, ProtectedToken> {
  const tokens = new Map<string, ProtectedToken>();
  const tree = parseMarkdown(markdown);
  const addresses = new Map<string, string>();
  eachNode(tree, (node) => {
    if (node.type === "definition" && !addresses.has(node.identifier)) addresses.set(node.identifier, node.url);
  });
  eachNode(tree, (node) => {
    for (const [key, raw] of protectedTokensOf(node, addresses, language))
      tokens.set(key, { raw: tokens.get(key)?.raw ?? raw, count: (tokens.get(key)?.count ?? 0) + 1 });
  });
  return tokens;
}

/** Returns the tokens that `before` has more often than `after`, each once, as written. */
export function lostTokens(
  before: string,
  after: string,
  language: FactLanguage | null = detectFactLanguage(before),
): string[] {
  const left = protectedTokens(after, language);
  return [...protectedTokens(before, language)]
    .filter(([key, { count }]) => (left.get(key)?.count ?? 0) < count)
    .map(([, { raw }]) => raw);
}

type TokenWithKey = readonly [key: string, raw: string];

/** @param addresses the addresses of definitions: a definition is invisible without a reference */
function protectedTokensOf(
  node: Nodes,
  addresses: ReadonlyMap<string, string>,
  language: FactLanguage | null,
): TokenWithKey[] {
  switch (node.type) {
    case "link":
    case "image":
      return [[node.url, node.url]];
    case "linkReference":
    case "imageReference": {
      const address = addresses.get(node.identifier) ?? node.identifier;
      return [[address, address]];
    }
    case "inlineCode":
    case "code":
      return [[node.value, node.value]];
    case "blockquote": {
      const kind = alertKindOf(node);
      return kind === undefined ? [] : [[`[!${kind}]`, `[!${kind.toUpperCase()}]`]];
    }
    case "listItem":
      return node.checked === false ? [["[ ]", "[ ]"]] : [];
    case "paragraph":
    case "heading":
    case "tableCell":
      return protectedTokensInText(plainText(node), language);
    default:
      return [];
  }
}

function protectedTokensInText(text: string, language: FactLanguage | null): TokenWithKey[] {
  // a paragraph has no step numbers, so each figure here belongs to the text
  const { amounts, strict } = factsOf(text, language);
  const blanks = [...text.matchAll(/\[confirm:/gi)].map((): TokenWithKey => ["[confirm]", "[confirm]"]);
  return [
    ...amounts.map(({ key, raw }): TokenWithKey => [key, raw]),
    ...strict.flatMap(({ token, raw }): TokenWithKey[] => (kept.has(token) ? [[token, raw.toLowerCase()]] : [])),
    ...blanks,
  ];
}
