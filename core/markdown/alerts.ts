/**
 * Alerts in Markdown: GitHub's five kinds, and DANGER and NOTICE, which safety procedures also need (ANSI Z535.6). They
 * can have a title and a fold mark, as in Obsidian. Views never fold them.
 */
import type { Blockquote, Paragraph, PhrasingContent, Root, RootContent, Text } from "mdast";
import { alertGrades, isAlertKind, type AlertKind } from "./alert-grades.ts";

/** Matches `[!WARNING]`, and Obsidian's `[!warning|note]-`. */
export const alertMark = /^\[!([A-Za-z]+)(?:\|[^\]\n]*)?\][-+]?[ \t]*/;

/** Returns the kind of alert that the first line of a quote names; undefined for a plain quote. */
export function alertKindOf(quote: Blockquote): AlertKind | undefined {
  return readAlertMark(quote)?.kind;
}

interface AlertContent {
  blocks: Blockquote["children"];
  /** True if the first line has a title beside the mark. The title is then the first block, in bold. */
  hasTitle: boolean;
}

/** The content of an alert, without its mark. */
export function alertContentOf(quote: Blockquote): AlertContent {
  const { kind, first, mark = "" } = readAlertMark(quote) ?? {};
  if (kind === undefined || first === undefined) return { blocks: quote.children, hasTitle: false };
  const title: PhrasingContent[] = [];
  const below: PhrasingContent[] = [];
  let line = title;
  for (const [at, node] of first.children.entries()) {
    if (line === below) below.push(node);
    else if (node.type === "break") line = below;
    else if (node.type !== "text") title.push(node);
    else {
      const [words = "", ...rest] = node.value.slice(at === 0 ? mark.length : 0).split("\n");
      if (words !== "") title.push({ ...node, value: words });
      if (rest.length > 0) line = below;
      if (rest.join("\n") !== "") below.push({ ...node, value: rest.join("\n") });
    }
  }
  const lines = [title.length === 0 ? [] : boldTitle(title), below].filter((one) => one.length > 0);
  const own = lines.map((children) => ({ ...first, children }));
  return { blocks: [...own, ...quote.children.slice(1)], hasTitle: title.length > 0 };
}

interface AlertMark {
  /** The kind of alert; undefined if the word names no kind, so that the quote is a plain quote. */
  kind: AlertKind | undefined;
  /** The word between the brackets, as written. */
  word: string;
  /** The whole mark with brackets, fold sign and spaces, as written: `[!warning|note]- `. */
  mark: string;
  /** True if the first line has neither an addition of another tool nor a title. */
  isAlone: boolean;
  first: Paragraph;
  text: Text;
}

export function readAlertMark(quote: Blockquote): AlertMark | undefined {
  const [first] = quote.children;
  if (first?.type !== "paragraph") return undefined;
  const [text, next] = first.children;
  if (text?.type !== "text") return undefined;
  const [mark, word = ""] = alertMark.exec(text.value) ?? [];
  if (mark === undefined) return undefined;
  const beside = text.value.slice(mark.length);
  const isLast = next === undefined || next.type === "break";
  const isAlone = mark.trimEnd() === `[!${word}]` && (beside === "" ? isLast : beside.startsWith("\n"));
  const kind = word.toLowerCase();
  return { kind: isAlertKind(kind) ? kind : undefined, word, mark, isAlone, first, text };
}

function boldTitle(title: PhrasingContent[]): PhrasingContent[] {
  return title.some(({ type }) => type === "strong") ? title : [{ type: "strong", children: title }];
}

/** unified plugin: turns alerts into boxes with a title (`div.alert.alert-warning`). */
export function remarkAlerts(): (tree: Root) => void {
  const renderAlerts = (nodes: readonly RootContent[]): void => {
    for (const node of nodes) {
      if (node.type === "blockquote") renderAlertQuote(node);
      if ("children" in node) renderAlerts(node.children as RootContent[]);
    }
  };
  return (tree) => renderAlerts(tree.children);
}

function renderAlertQuote(quote: Blockquote): void {
  const kind = alertKindOf(quote);
  if (kind === undefined) return;
  quote.data = { hName: "div", hProperties: { className: ["alert", `alert-${kind}`] } };
  const title = {
    type: "paragraph" as const,
    data: { hProperties: { className: ["alert-title"] } },
    children: [{ type: "text" as const, value: alertGrades[kind].title }],
  };
  quote.children = [title, ...alertContentOf(quote).blocks];
}
