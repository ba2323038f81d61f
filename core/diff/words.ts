/** Compares two versions of a text within a block, word by word. Bold text, links and code stay. */
import type { Element, ElementContent } from "hast";
import { writeHtml } from "../markdown/html-tree.ts";
import { withJoinedNeighborChanges, groupNeighbors, mergedTokens, type DiffMark, type MarkedToken } from "./marked.ts";
import { hasLetterOrDigit, wordPattern } from "./parts.ts";

/** A word, a space, a punctuation mark or an image, with the inline elements around it. */
interface DiffToken {
  key: string;
  node: ElementContent;
  within: readonly { element: Element; key: string }[];
}

/**
 * Returns the new version of an inline text, with `ins` and `del` inside its elements.
 * @param exact true if spaces count, as in code
 */
export function wordsWithDifferences(
  before: readonly ElementContent[],
  after: readonly ElementContent[],
  exact: boolean,
): ElementContent[] {
  const merged = mergedTokens(diffTokensOf(before, exact), diffTokensOf(after, exact), ({ key }) => key);
  return rebuildMarkedNodes(withJoinedNeighborChanges(merged, hasVisibleContent), 0);
}

/** Returns the nodes with all their content in `ins` or `del`. */
export function wordsWithMark(nodes: readonly ElementContent[], mark: DiffMark): ElementContent[] {
  return rebuildMarkedNodes(
    diffTokensOf(nodes, true).map((token) => ({ token, mark })),
    0,
  );
}

function diffTokensOf(nodes: readonly ElementContent[], exact: boolean, within: DiffToken["within"] = []): DiffToken[] {
  return nodes.flatMap((node): DiffToken[] => {
    const around = within.map(({ key }) => key).join("");
    if (node.type === "text") {
      return (node.value.match(wordPattern) ?? []).map((value) => {
        const shown = exact ? value : value.replace(/\s+/g, " ");
        return { key: `${around}\u0000${shown}`, node: { type: "text", value }, within };
      });
    }
    if (node.type !== "element") return [];
    if (node.children.length === 0) return [{ key: `${around}\u0000${writeHtml(node)}`, node, within }];
    const shell: Element = { ...node, children: [] };
    return diffTokensOf(node.children, exact, [...within, { element: shell, key: writeHtml(shell) }]);
  });
}

function hasVisibleContent({ node }: DiffToken): boolean {
  return node.type !== "text" || hasLetterOrDigit(node.value);
}

function rebuildMarkedNodes(items: readonly MarkedToken<DiffToken>[], depth: number): ElementContent[] {
  const nodes: ElementContent[] = [];
  for (const group of groupNeighbors(items, (item) => item.token.within[depth]?.key ?? `\u0000${item.mark}`)) {
    const [first] = group;
    if (!first) continue;
    const around = first.token.within[depth];
    if (around) {
      nodes.push({ ...around.element, children: rebuildMarkedNodes(group, depth + 1) });
      continue;
    }
    const content = joinNeighborTexts(group.map(({ token }) => token.node));
    if (first.mark === null) nodes.push(...content);
    else nodes.push({ type: "element", tagName: first.mark, properties: {}, children: content });
  }
  return nodes;
}

function joinNeighborTexts(nodes: readonly ElementContent[]): ElementContent[] {
  const found: ElementContent[] = [];
  for (const node of nodes) {
    const last = found.at(-1);
    if (node.type === "text" && last?.type === "text") last.value += node.value;
    else found.push(node.type === "text" ? { ...node } : node);
  }
  return found;
}
