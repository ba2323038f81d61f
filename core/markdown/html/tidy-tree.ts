import type { List, Nodes, PhrasingContent, Root } from "mdast";

const marks = new Set(["emphasis", "strong", "delete"]);

/**
 * Gives a tree from HTML a form that Markdown can express: no empty emphasis, and no space at the inner edges of
 * emphasis.
 */
export function tidyTree(root: Root): void {
  tidyNodes(root);
}

function tidyNodes(node: Nodes): void {
  if (!("children" in node)) return;
  for (const child of node.children) tidyNodes(child);
  const children = node.children as Nodes[];
  const hoisted = children.flatMap((child) => hoistSpace(child));
  node.children = (joinNeighborMarks(hoisted) as Nodes[]).filter(
    (child) => !isEmptyParagraph(child),
  ) as typeof node.children;
  if (["paragraph", "heading", "tableCell"].includes(node.type)) trimLineEdges(node.children as PhrasingContent[]);
  if (node.type === "listItem" && node.children.some((child, at) => canJoinBlocks(node.children[at - 1], child)))
    node.spread = true;
  if (node.type === "list" && node.children.length > 1)
    node.spread = node.children.some(({ spread }) => spread === true);
}

/** Tells whether two blocks of a list item would become one block without a blank line between them. */
function canJoinBlocks(above: Nodes | undefined, below: Nodes): boolean {
  if (above === undefined || above.type === "code" || above.type === "heading") return false;
  if (above.type === "paragraph" && below.type === "code") return false;
  if (above.type !== "paragraph" || below.type !== "list") return true;
  return needsBlankLineAbove(below);
}

/**
 * Tells whether a list below a paragraph needs a blank line above. Bullets and a list that begins with 1 need none.
 */
function needsBlankLineAbove(list: List): boolean {
  const first = list.children[0]?.children[0];
  if (first === undefined || (list.ordered === true && list.start !== 1)) return true;
  return first.type === "list" && needsBlankLineAbove(first);
}

/** Tells whether a paragraph contains only spaces. */
function isEmptyParagraph(node: Nodes): boolean {
  return (
    node.type === "paragraph" &&
    node.children.every((child) => child.type === "text" && /^[ \t\n\u00a0]*$/.test(child.value))
  );
}

/**
 * Removes breaks and spaces at the edges of a line, because they are layout. Markdown would write them as character
 * references.
 */
function trimLineEdges(line: PhrasingContent[]): void {
  for (const edge of [0, -1]) {
    for (let node = line.at(edge); node !== undefined; node = line.at(edge)) {
      if (node.type === "text") {
        node.value = node.value.replace(edge === 0 ? /^[ \t\n\u00a0]+/ : /[ \t\n\u00a0]+$/, "");
        if (node.value !== "") break;
      } else if (node.type !== "break") break;
      if (edge === 0) line.shift();
      else line.pop();
    }
  }
}

function spaceNode(value: string): PhrasingContent {
  return { type: "text", value };
}

/** Moves spaces at the edges of a mark out of it: `<b>Warning: </b>hot` → `**Warning:** hot`. Removes an empty mark. */
function hoistSpace(node: Nodes): Nodes[] {
  if (!marks.has(node.type) || !("children" in node)) return [node];
  const children = node.children as PhrasingContent[];
  const [first, last] = [children[0], children.at(-1)];
  if (first === undefined || last === undefined) return [];
  const before = first.type === "text" ? (/^\s+/.exec(first.value)?.[0] ?? "") : "";
  if (first.type === "text") first.value = first.value.slice(before.length);
  const after = last.type === "text" ? (/\s+$/.exec(last.value)?.[0] ?? "") : "";
  if (last.type === "text") last.value = last.value.slice(0, last.value.length - after.length);
  node.children = children.filter((child) => child.type !== "text" || child.value !== "") as typeof node.children;
  const kept: Nodes[] = node.children.length > 0 ? [node] : [];
  return [...(before === "" ? [] : [spaceNode(before)]), ...kept, ...(after === "" ? [] : [spaceNode(after)])];
}

/** Joins neighboring marks of one kind: `<b>a</b><b>b</b>` becomes `**ab**`. */
function joinNeighborMarks(nodes: readonly Nodes[]): Nodes[] {
  const out: Nodes[] = [];
  for (const node of nodes) {
    const last = out.at(-1);
    if (last?.type === node.type && (last.type === "text" || last.type === "inlineCode") && "value" in node)
      last.value += node.value;
    else if (
      last !== undefined &&
      marks.has(last.type) &&
      last.type === node.type &&
      "children" in last &&
      "children" in node
    ) {
      last.children = joinNeighborMarks([...last.children, ...node.children]) as typeof last.children;
    } else out.push(node);
  }
  return out;
}
