/** Changes named as readers see them: 'Step 3 changed', 'Warning added'. */
import type { DiffBlock } from "#core/diff/schema.ts";

const verbs = { added: "added", removed: "removed", changed: "changed", moved: "moved" } as const;

/** @param html one block of a comparison, sanitised */
export function blockName(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const first = body.firstElementChild;
  if (!first) return "Text";
  if (first.matches("ol")) return `Step ${first.getAttribute("start") ?? "1"}`;
  if (first.matches("ul")) return "List item";
  if (/^H[1-6]$/.test(first.tagName)) return "Heading";
  if (first.matches("table")) return "Table";
  if (first.matches("pre")) return "Code";
  const alert = [...first.classList].find((name) => name.startsWith("alert-"));
  if (alert) return `${alert.charAt(6).toUpperCase()}${alert.slice(7)}`;
  return first.querySelector("img") && first.textContent.trim() === "" ? "Image" : "Text";
}

export interface NamedChange {
  name: string;
  kind: keyof typeof verbs;
  html: string;
}

/** What differs, in order; a moved block counts once, where it is now. */
export function namedChanges(blocks: readonly DiffBlock[]): NamedChange[] {
  return blocks.flatMap(({ kind, place, html }) =>
    kind === "same" || place === "from" ? [] : [{ name: `${blockName(html)} ${verbs[kind]}`, kind, html }],
  );
}
