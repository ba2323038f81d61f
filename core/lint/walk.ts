import type { Nodes, Root } from "mdast";
import { eachNode } from "#core/markdown/each-node.ts";
import type { OutlineSection } from "./outline.ts";
import { readProse, type Prose } from "./prose.ts";
import type { ProcedureStep } from "./steps.ts";

/**
 * Functions of a rule that are called for nodes by their type, parents before children, then for the sections and steps
 * of the file, and `done` at the end.
 */
export type Visitor = {
  [Type in Nodes["type"]]?: (node: Extract<Nodes, { type: Type }>, parents: readonly Nodes[]) => void;
} & {
  /** Called for each paragraph, heading and table cell. */
  prose?: (prose: Prose, parents: readonly Nodes[]) => void;
  section?: (section: OutlineSection) => void;
  step?: (step: ProcedureStep) => void;
  done?: () => void;
};

type VisitNode = (node: Nodes, parents: readonly Nodes[]) => void;

const notNodes: readonly string[] = ["prose", "section", "step", "done"];

/** Walks the tree once for all visitors. Each visitor gets the nodes of its types, parents first. */
export function walkForVisitors(tree: Root, visitors: readonly Visitor[], text: string): void {
  const byType = new Map<string, VisitNode[]>();
  const addVisitor = (type: string, visit: VisitNode): void => {
    const known = byType.get(type);
    if (known === undefined) byType.set(type, [visit]);
    else known.push(visit);
  };
  for (const visitor of visitors) {
    for (const [type, visit] of Object.entries(visitor)) {
      if (!notNodes.includes(type)) addVisitor(type, visit as VisitNode);
    }
  }
  const readers = visitors.flatMap(({ prose }) => prose ?? []);
  if (readers.length > 0) {
    const visitProse: VisitNode = (node, parents) => {
      const prose = readProse(node, text);
      for (const reader of readers) reader(prose, parents);
    };
    for (const type of ["paragraph", "heading", "tableCell"]) addVisitor(type, visitProse);
  }
  eachNode(tree, (node, parents) => {
    const visits = byType.get(node.type);
    if (visits !== undefined) for (const visit of visits) visit(node, parents);
  });
}
