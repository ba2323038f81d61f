import type { Nodes, PhrasingContent, Root, Table } from "mdast";

/**
 * Reads the forms of this product's dialect beyond GFM: `<strong>` and `<em>` are emphasis, and short table rows get
 * empty cells.
 */
export function readDialectForms(tree: Root, text: string): void {
  const hasTags = /<\/(?:strong|em)>/.test(text);
  if (hasTags || text.includes("|")) readDialectFormsBelow(tree, hasTags);
}

function readDialectFormsBelow(node: Nodes, hasTags: boolean): void {
  if (!("children" in node)) return;
  for (const child of node.children) readDialectFormsBelow(child, hasTags);
  if (node.type === "table") fillShortRows(node);
  if (hasTags && inline.has(node.type) && node.children.some(({ type }) => type === "html")) {
    node.children = pairTags(node.children as PhrasingContent[]) as typeof node.children;
  }
}

/**
 * Nodes that can contain an opening tag together with its closing tag.
 */
const inline = new Set<Nodes["type"]>(
  "paragraph heading tableCell emphasis strong delete link linkReference".split(" ") as Nodes["type"][],
);

const kinds = { strong: "strong", em: "emphasis" } as const;

function pairTags(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const out: PhrasingContent[] = [];
  const open: { name: string; at: number }[] = [];
  for (const node of nodes) {
    const [, slash, name] = (node.type === "html" && /^<(\/?)(strong|em)>$/.exec(node.value)) || [];
    if (name === undefined) out.push(node);
    else if (slash === "") {
      open.push({ name, at: out.length });
      out.push(node);
    } else {
      const index = open.findLastIndex((one) => one.name === name);
      const [tag] = index === -1 ? [] : open.splice(index);
      if (tag === undefined) out.push(node);
      else {
        const [first, ...children] = out.splice(tag.at);
        if (first === undefined || children.length === 0) out.push(...(first ? [first] : []), node);
        else out.push(emphasisNode(kinds[name as keyof typeof kinds], children, first, node));
      }
    }
  }
  return out;
}

function emphasisNode(
  type: "strong" | "emphasis",
  children: PhrasingContent[],
  first: Nodes,
  last: Nodes,
): PhrasingContent {
  const [start, end] = [first.position?.start, last.position?.end];
  return { type, children, ...(start && end && { position: { start, end } }) };
}

function fillShortRows(table: Table): void {
  const width = table.children[0]?.children.length ?? 0;
  for (const row of table.children) {
    const end = row.position?.end;
    while (row.children.length < width) {
      row.children.push({
        type: "tableCell",
        children: [],
        ...(end && { position: { start: { ...end }, end: { ...end } } }),
      });
    }
  }
}
