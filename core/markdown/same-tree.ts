import type { Nodes } from "mdast";

const ignored = new Set(["position", "data"]);

/**
 * Puts a label on one line. A label can contain line ends and indents, which parsers ignore when they compare labels
 * (CommonMark 4.7).
 */
const labelOnOneLine = (label: unknown): unknown =>
  typeof label === "string" ? label.replace(/[ \t\n]+/g, " ").trim() : label;

/** Tells whether two syntax trees have the same content, whatever their positions. */
export function isSameTree(a: Nodes, b: Nodes): boolean {
  return isSameValue(a, b);
}

function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameValue(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  // the fields of `a` are compared already, including their inner fields
  return (
    haveSameFields(a, b) && Object.keys(b).every((key) => key in a || ignored.has(key) || (b[key] ?? null) === null)
  );
}

/** Treats an absent, an undefined and a null field as equal, because parsers differ in which one they write. */
function haveSameFields(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const key in a) {
    if (ignored.has(key)) continue;
    const [one, other] = [a[key] ?? null, b[key] ?? null];
    if (!(key === "label" ? isSameValue(labelOnOneLine(one), labelOnOneLine(other)) : isSameValue(one, other)))
      return false;
  }
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
