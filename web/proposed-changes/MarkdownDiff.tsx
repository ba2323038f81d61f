/** Shows two versions of a piece of Markdown as readers would see them, with added and removed words marked. */
import type { Nodes, Parents, PhrasingContent } from "mdast";
import { createElement, Fragment, type ReactNode } from "react";
import { remarkAlerts } from "#core/markdown/alerts.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { textDirectionOf } from "../sops/direction.ts";
import { CodeDiff, InlineDiff } from "./InlineDiff.tsx";

interface MarkdownDiffProps {
  before: string;
  after: string;
}

export function MarkdownDiff({ before, after }: MarkdownDiffProps) {
  return (
    <div dir={textDirectionOf({ markdown: `${before}\n${after}` })} className="reading">
      <ChildPairs before={markdownBlocksOf(before)} after={markdownBlocksOf(after)} />
    </div>
  );
}

function markdownBlocksOf(markdown: string): Nodes[] {
  const root = parseMarkdown(markdown);
  remarkAlerts()(root);
  return root.children;
}

/**
 * Compares child by child if both sides have the same kinds of children. Otherwise shows all removed children first,
 * then all added children.
 */
function ChildPairs({
  before,
  after,
  cell,
}: {
  before: readonly Nodes[];
  after: readonly Nodes[];
  cell?: "th" | "td" | undefined;
}): ReactNode {
  const alike = before.length === after.length && before.every(({ type }, index) => type === after[index]?.type);
  const pairs: [Nodes | null, Nodes | null][] = alike
    ? before.map((node, index) => [node, after[index] ?? null])
    : [...before.map((node): [Nodes, null] => [node, null]), ...after.map((node): [null, Nodes] => [null, node])];
  return pairs.map(([old, now], index) => (
    <Fragment key={index}>
      <NodePair old={old} now={now} cell={cell} />
    </Fragment>
  ));
}

function NodePair({
  old,
  now,
  cell = "td",
}: {
  old: Nodes | null;
  now: Nodes | null;
  cell?: "th" | "td" | undefined;
}): ReactNode {
  const node = now ?? old;
  if (!node) return null;
  const [before, after] = [childrenOf(old), childrenOf(now)];
  const blocks = <ChildPairs before={before} after={after} cell={cell} />;
  const words = <InlineDiff before={before as PhrasingContent[]} after={after as PhrasingContent[]} />;
  switch (node.type) {
    case "paragraph":
      return <p className={classNameOf(node)}>{words}</p>;
    case "heading":
      // Headings of the proposed text are rendered as paragraphs, so that they don't mix with the page's headings.
      return <p className={node.depth > 2 ? "font-semibold" : "text-lg font-semibold"}>{words}</p>;
    case "list":
      return node.ordered ? <ol start={node.start ?? 1}>{blocks}</ol> : <ul>{blocks}</ul>;
    case "listItem":
      return (
        <li>
          {typeof node.checked === "boolean" && <span aria-hidden>{node.checked ? "☑ " : "☐ "}</span>}
          {blocks}
        </li>
      );
    case "blockquote":
      return createElement(node.data ? "div" : "blockquote", { className: classNameOf(node) }, blocks);
    case "table":
      return (
        <table>
          <thead>
            <ChildPairs before={before.slice(0, 1)} after={after.slice(0, 1)} cell="th" />
          </thead>
          <tbody>
            <ChildPairs before={before.slice(1)} after={after.slice(1)} />
          </tbody>
        </table>
      );
    case "tableRow":
      return <tr>{blocks}</tr>;
    case "tableCell":
      return createElement(cell, null, words);
    case "thematicBreak":
      return <hr />;
    case "footnoteDefinition":
      return blocks;
    default:
      return (
        <pre>
          <CodeDiff before={old && literalSourceOf(old)} after={now && literalSourceOf(now)} />
        </pre>
      );
  }
}

function childrenOf(node: Nodes | null): readonly Nodes[] {
  return node && "children" in node ? (node as Parents).children : [];
}

function classNameOf({ data }: { data?: object | undefined }): string | undefined {
  const { hProperties } = (data ?? {}) as { hProperties?: { className?: string[] } };
  return hProperties?.className?.join(" ");
}

function literalSourceOf(node: Nodes): string {
  if ("value" in node) return node.value;
  return node.type === "definition" ? `[${node.identifier}]: ${node.url}` : "";
}
