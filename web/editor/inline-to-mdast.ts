/** Converts marked text to nested inline nodes. Of two marks, the one that spans more text becomes the outer one. */
import type { PhrasingContent } from "mdast";
import type { Fragment, Mark, Node } from "@milkdown/kit/prose/model";
import { isOuterMark, defaultNesting, isBareLinkMark } from "./mark-order.ts";

interface MarkedNode {
  node: Node;
  marks: readonly Mark[];
}

export function writeEditorInline(content: Fragment): PhrasingContent[] {
  const pieces: MarkedNode[] = [];
  content.forEach((node) => {
    pieces.push({ node, marks: node.marks.filter((mark) => defaultNesting.includes(mark.type.name)) });
  });
  // A break at the end of a block has no meaning and would leave a backslash.
  while (pieces.at(-1)?.node.type.name === "hardbreak") pieces.pop();
  return trimLines(joinAdjacentText(writePieces(pieces)));
}

/** Removes spaces at the ends of lines. They have no meaning in Markdown and would have to be written as `&#x20;`. */
function trimLines(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const trimmed = nodes.map((node, index): PhrasingContent => {
    if (node.type !== "text") return node;
    const opens = index === 0 || nodes[index - 1]?.type === "break";
    const closes = index === nodes.length - 1 || nodes[index + 1]?.type === "break";
    let value = node.value.replace(/[ \t]*\n[ \t]*/g, "\n");
    if (opens) value = value.replace(/^[ \t]+/, "");
    if (closes) value = value.replace(/[ \t]+$/, "");
    return { type: "text", value };
  });
  return trimmed.filter((node) => node.type !== "text" || node.value !== "");
}

function writePieces(pieces: readonly MarkedNode[]): PhrasingContent[] {
  const written: PhrasingContent[] = [];
  let at = 0;
  while (at < pieces.length) {
    const piece = pieces[at];
    if (!piece) break;
    const outer = outermostMarkAt(pieces, at);
    if (!outer) {
      written.push(...writePiece(piece.node));
      at += 1;
      continue;
    }
    const run = pieces
      .slice(at, outer.end)
      .map((one) => ({ node: one.node, marks: one.marks.filter((mark) => !mark.eq(outer.mark)) }));
    written.push(...writeMark(outer.mark, joinAdjacentText(writePieces(run))));
    at = outer.end;
  }
  return written;
}

/** Returns the outermost mark of a piece and the index after its last piece; null if the piece has no mark. */
function outermostMarkAt(pieces: readonly MarkedNode[], at: number): { mark: Mark; end: number } | null {
  let best: { mark: Mark; end: number } | null = null;
  const first = pieces[at];
  for (const mark of first?.marks ?? []) {
    let end = at + 1;
    while (pieces[end]?.marks.some((other) => other.eq(mark))) end += 1;
    const isOuter = best?.end === end && first && isOuterMark(first.node, mark, best.mark);
    if (!best || end > best.end || isOuter) best = { mark, end };
  }
  return best;
}

/**
 * Wraps nodes in a mark. In Markdown, emphasis can't begin or end with a space or a line break, so spaces and breaks at
 * its ends move outside.
 */
function writeMark(mark: Mark, children: PhrasingContent[]): PhrasingContent[] {
  if (mark.type.name === "link") return [writeLink(mark, children)];
  if (mark.type.name === "html_tag") {
    const name = String(mark.attrs["name"]);
    return [{ type: "html", value: `<${name}>` }, ...children, { type: "html", value: `</${name}>` }];
  }
  const starts = children.findIndex((child) => child.type !== "break");
  const opening = children.splice(0, starts === -1 ? children.length : starts);
  const closing = children.splice(children.findLastIndex((child) => child.type !== "break") + 1);
  const before = [...opening, ...extractOuterSpace(children, 0, /^\s+/)];
  const after = [...extractOuterSpace(children, children.length - 1, /\s+$/), ...closing];
  const inner = children.filter((child) => child.type !== "text" || child.value !== "");
  return [...before, ...(inner.length === 0 ? [] : [emphasisNode(mark.type.name, inner)]), ...after];
}

function emphasisNode(name: string, children: PhrasingContent[]): PhrasingContent {
  if (name === "strike_through") return { type: "delete", children };
  return name === "strong" ? { type: "strong", children } : { type: "emphasis", children };
}

function writeLink(mark: Mark, children: PhrasingContent[]): PhrasingContent {
  const title: unknown = mark.attrs["title"];
  return {
    type: "link",
    url: String(mark.attrs["href"] ?? ""),
    title: typeof title === "string" && title !== "" ? title : null,
    children,
    ...(isBareLinkMark(mark) && { data: { isBare: true } }),
  };
}

/** Removes the space that matches the pattern from a child, and returns the space as text. */
function extractOuterSpace(children: PhrasingContent[], index: number, pattern: RegExp): PhrasingContent[] {
  const child = children[index];
  if (child?.type !== "text") return [];
  const space = pattern.exec(child.value)?.[0] ?? "";
  if (space === "") return [];
  children[index] = { ...child, value: child.value.replace(pattern, "") };
  return [{ type: "text", value: space }];
}

function writePiece(node: Node): PhrasingContent[] {
  const value = String(node.attrs["value"] ?? "");
  switch (node.type.name) {
    case "text":
      return node.marks.some((mark) => mark.type.name === "inlineCode")
        ? [{ type: "inlineCode", value: node.text ?? "" }]
        : [{ type: "text", value: node.text ?? "" }];
    case "hardbreak":
      return [node.attrs["isInline"] === true ? { type: "text", value: "\n" } : { type: "break" }];
    case "html_break":
      return [{ type: "html", value: value || "<br>" }];
    case "html":
    case "source_inline":
      return value === "" ? [] : [{ type: "html", value }];
    case "image":
      return [
        {
          type: "image",
          url: String(node.attrs["src"] ?? ""),
          alt: String(node.attrs["alt"] ?? ""),
          title: node.attrs["title"] ? String(node.attrs["title"]) : null,
        },
      ];
    case "footnote_reference": {
      const label = String(node.attrs["label"] ?? "");
      return [{ type: "footnoteReference", identifier: label.toLowerCase(), label }];
    }
    default:
      throw new Error(`no Markdown for ${node.type.name}`);
  }
}

function joinAdjacentText(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const joined: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type === "text" && last?.type === "text") {
      joined[joined.length - 1] = { type: "text", value: last.value + node.value };
    } else if (node.type !== "text" || node.value !== "") {
      joined.push(node);
    }
  }
  return joined;
}
