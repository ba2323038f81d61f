/** Two versions of a run of text as one, word by word, whatever is bold, linked or code in it. */
import type { Element, ElementContent } from "hast";
import { toHtml } from "hast-util-to-html";
import { align } from "./align.ts";
import { isWord, wordPattern } from "./parts.ts";

export type Mark = "ins" | "del";

/** A word, a space, a mark or a picture, with the inline elements it stands in. */
interface Token {
  key: string;
  node: ElementContent;
  within: readonly { element: Element; key: string }[];
}

interface Marked {
  token: Token;
  mark: Mark | null;
}

/** The run as it is now, with `ins` and `del` inside the inline elements. @param exact spaces count (code) */
export function diffWords(
  before: readonly ElementContent[],
  after: readonly ElementContent[],
  exact: boolean,
): ElementContent[] {
  const [old, now] = [tokensOf(before, exact), tokensOf(after, exact)];
  const same = align(
    old.map(({ key }) => key),
    now.map(({ key }) => key),
  );
  const found: Marked[] = [];
  let [i, j] = [0, 0];
  for (const [a, b] of [...same, [old.length, now.length] as const]) {
    for (const token of old.slice(i, a)) found.push({ token, mark: "del" });
    for (const token of now.slice(j, b)) found.push({ token, mark: "ins" });
    const token = now[b];
    if (token && a < old.length) found.push({ token, mark: null });
    [i, j] = [a + 1, b + 1];
  }
  return rebuild(gathered(found), 0);
}

/** The run with everything in it marked. */
export function markWords(nodes: readonly ElementContent[], mark: Mark): ElementContent[] {
  return rebuild(
    tokensOf(nodes, true).map((token) => ({ token, mark })),
    0,
  );
}

function tokensOf(nodes: readonly ElementContent[], exact: boolean, within: Token["within"] = []): Token[] {
  return nodes.flatMap((node): Token[] => {
    const around = within.map(({ key }) => key).join("");
    if (node.type === "text") {
      return (node.value.match(wordPattern) ?? []).map((value) => {
        const shown = exact ? value : value.replace(/\s+/g, " ");
        return { key: `${around}\u0000${shown}`, node: { type: "text", value }, within };
      });
    }
    if (node.type !== "element") return [];
    if (node.children.length === 0) return [{ key: `${around}\u0000${toHtml(node)}`, node, within }];
    const shell: Element = { ...node, children: [] };
    return tokensOf(node.children, exact, [...within, { element: shell, key: toHtml(shell) }]);
  });
}

/** Changes that only a space or a mark keeps apart are read as one: first all that went, then all that came. */
function gathered(merged: readonly Marked[]): Marked[] {
  const found: Marked[] = [];
  let [went, came, between]: [Marked[], Marked[], Marked[]] = [[], [], []];
  const flush = (): void => {
    for (const items of [went, came, between]) for (const item of items) found.push(item);
    [went, came, between] = [[], [], []];
  };
  for (const item of merged) {
    if (item.mark === null) {
      between.push(item);
      if (went.length + came.length === 0 || says(item)) flush();
      continue;
    }
    if (between.length > 0) {
      for (const { token } of between) {
        went.push({ token, mark: "del" });
        came.push({ token, mark: "ins" });
      }
      between = [];
    }
    (item.mark === "del" ? went : came).push(item);
  }
  flush();
  return found;
}

function says({ token: { node } }: Marked): boolean {
  return node.type !== "text" || isWord(node.value);
}

function rebuild(items: readonly Marked[], depth: number): ElementContent[] {
  const nodes: ElementContent[] = [];
  for (const group of grouped(items, (item) => item.token.within[depth]?.key ?? `\u0000${item.mark}`)) {
    const [first] = group;
    if (!first) continue;
    const around = first.token.within[depth];
    if (around) {
      nodes.push({ ...around.element, children: rebuild(group, depth + 1) });
      continue;
    }
    const content = joined(group.map(({ token }) => token.node));
    if (first.mark === null) nodes.push(...content);
    else nodes.push({ type: "element", tagName: first.mark, properties: {}, children: content });
  }
  return nodes;
}

function joined(nodes: readonly ElementContent[]): ElementContent[] {
  const found: ElementContent[] = [];
  for (const node of nodes) {
    const last = found.at(-1);
    if (node.type === "text" && last?.type === "text") last.value += node.value;
    else found.push(node.type === "text" ? { ...node } : node);
  }
  return found;
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups: T[][] = [];
  let last: string | undefined;
  for (const item of items) {
    const key = keyOf(item);
    if (key === last) groups.at(-1)?.push(item);
    else groups.push([item]);
    last = key;
  }
  return groups;
}
