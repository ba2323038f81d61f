/** Alerts in Markdown: GitHub's five, and DANGER and NOTICE, which safety procedures need beside them (ANSI Z535.6). */
import type { Blockquote, Root, RootContent } from "mdast";
import { alertGrades, isAlertKind, type AlertKind } from "./alert-grades.ts";

const marker = /^\[!([A-Za-z]+)\][ \t]*(?:\n|$)/;

/** The kind of alert a quote is: its first line is `[!WARNING]` and nothing else. */
export function alertKind(quote: Blockquote): AlertKind | undefined {
  const [first] = quote.children;
  const text = first?.type === "paragraph" ? first.children[0] : undefined;
  if (text?.type !== "text") return undefined;
  const kind = marker.exec(text.value)?.[1]?.toLowerCase();
  return isAlertKind(kind) ? kind : undefined;
}

/** unified plugin: turns alerts into boxes with a title (`div.alert.alert-warning`). */
export function remarkAlerts(): (tree: Root) => void {
  const walk = (nodes: readonly RootContent[]): void => {
    for (const node of nodes) {
      if (node.type === "blockquote") markAlert(node);
      if ("children" in node) walk(node.children as RootContent[]);
    }
  };
  return (tree) => walk(tree.children);
}

function markAlert(quote: Blockquote): void {
  const kind = alertKind(quote);
  const [first, ...rest] = quote.children;
  if (kind === undefined || first?.type !== "paragraph") return;
  const [text, ...others] = first.children;
  const remaining = text?.type === "text" ? text.value.replace(marker, "") : "";
  const children = remaining === "" ? others : [{ type: "text" as const, value: remaining }, ...others];
  quote.data = { hName: "div", hProperties: { className: ["alert", `alert-${kind}`] } };
  const title = {
    type: "paragraph" as const,
    data: { hProperties: { className: ["alert-title"] } },
    children: [{ type: "text" as const, value: alertGrades[kind].title }],
  };
  quote.children = [title, ...(children.length > 0 ? [{ ...first, children }] : []), ...rest];
}
