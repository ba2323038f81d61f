import type { Nodes, Root } from "mdast";
import { eachNode } from "#core/markdown/parse.ts";
import { isOffsetInRange, endOffsetOf, startOffsetOf, type OffsetRange } from "./cuts.ts";

interface DefinitionPlace {
  key: string;
  range: OffsetRange;
  /** True if the definition can be removed without damage to a quote or list around it. */
  isApart: boolean;
  /** False for a second definition of the same name, which has no effect. */
  isFirst: boolean;
}

/** Definitions of links and footnotes that are removed from a part or added to it. */
export interface PartDefinitions {
  removed: OffsetRange[];
  added: OffsetRange[];
}

/**
 * Returns for each part the definitions and footnotes to add, because it uses them, and those to remove, because only
 * other parts use them.
 *
 * @param parts the ranges of the text for each part
 */
export function definitionsByPart(tree: Root, parts: readonly (readonly OffsetRange[])[]): PartDefinitions[] {
  const { definitions, uses } = readReferences(tree);
  const isIn = (part: readonly OffsetRange[], at: number) => part.some((range) => isOffsetInRange(range, at));
  const needed = parts.map((part) => {
    const keys = new Set(uses.filter(({ from, at }) => from === null && isIn(part, at)).map(({ key }) => key));
    // footnotes can use other footnotes, so the loop also visits keys that it adds to the set
    for (const key of keys) for (const use of uses) if (use.from === key) keys.add(use.key);
    return keys;
  });
  return parts.map((part, index) => {
    const keys = needed[index] ?? new Set();
    const isNeeded = ({ key }: DefinitionPlace) => needed.some((others) => others.has(key));
    const here = definitions.filter(({ range: [start] }) => isIn(part, start));
    const removed = here.filter((one) => one.isApart && isNeeded(one) && !(one.isFirst && keys.has(one.key)));
    const added = definitions.filter((one) => one.isFirst && keys.has(one.key) && !here.includes(one));
    return { removed: removed.map(({ range }) => range), added: added.map(({ range }) => range) };
  });
}

function readReferences(tree: Root) {
  const definitions: DefinitionPlace[] = [];
  const uses: { key: string; at: number; from: string | null }[] = [];
  const seen = new Set<string>();
  eachNode(tree, (node, parents) => {
    const key = referenceKeyOf(node);
    if (key === null) return;
    if (node.type === "definition" || node.type === "footnoteDefinition") {
      const range: OffsetRange = [startOffsetOf(node), endOffsetOf(node)];
      definitions.push({ key, range, isApart: parents.length === 1, isFirst: !seen.has(key) });
      seen.add(key);
    } else {
      const around = parents.find(({ type }) => type === "footnoteDefinition");
      uses.push({ key, at: startOffsetOf(node), from: around === undefined ? null : referenceKeyOf(around) });
    }
  });
  return { definitions, uses };
}

function referenceKeyOf(node: Nodes): string | null {
  switch (node.type) {
    case "definition":
    case "linkReference":
    case "imageReference":
      return node.identifier.toLowerCase();
    case "footnoteDefinition":
    case "footnoteReference":
      return `^${node.identifier.toLowerCase()}`;
    default:
      return null;
  }
}
