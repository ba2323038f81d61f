/** Names changes as readers see them: 'Step 3 changed', 'Warning added'. */
import { catalog } from "#core/language/catalog.ts";
import type { AlertKind } from "#core/markdown/alert-grades.ts";
import type { DiffBlock } from "#core/diff/schema.ts";

const verbs = catalog("sops.diff.verbs", {
  added: "{name} added",
  removed: "{name} removed",
  changed: "{name} changed",
  moved: "{name} moved",
});
const blocks = catalog("sops.diff.blocks", {
  text: "Text",
  step: "Step {number}",
  item: "List item",
  heading: "Heading",
  table: "Table",
  code: "Code",
  image: "Image",
});
const alerts: Readonly<Record<string, string>> = catalog("sops.diff.alerts", {
  danger: "Danger",
  warning: "Warning",
  caution: "Caution",
  notice: "Notice",
  important: "Important",
  note: "Note",
  tip: "Tip",
}) satisfies Record<AlertKind, string>;

/** @param html one block of a comparison, already sanitized */
function blockNameOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const first = body.firstElementChild;
  if (!first) return blocks.text;
  if (first.matches("ol")) return blocks.step({ number: first.getAttribute("start") ?? "1" });
  if (first.matches("ul")) return blocks.item;
  if (/^H[1-6]$/.test(first.tagName)) return blocks.heading;
  if (first.matches("table")) return blocks.table;
  if (first.matches("pre")) return blocks.code;
  const alert = [...first.classList].find((name) => name.startsWith("alert-"));
  const named = alert && alerts[alert.slice(6)];
  if (named) return named;
  return first.querySelector("img") && first.textContent.trim() === "" ? blocks.image : blocks.text;
}

export interface NamedChange {
  name: string;
  kind: keyof typeof verbs;
  html: string;
}

/** Names the changes in order. A moved block counts once, at its new place. */
export function namedChanges(all: readonly DiffBlock[]): NamedChange[] {
  return all.flatMap(({ kind, place, html }) =>
    kind === "same" || place === "from" ? [] : [{ name: verbs[kind]({ name: blockNameOf(html) }), kind, html }],
  );
}
