import type { Nodes } from "mdast";

const ignored = new Set(["position", "data"]);

/** A label holds the line ends and the indent of its place. Readers compare it without (CommonMark 4.7). */
const inOneLine = (label: unknown): unknown =>
  typeof label === "string" ? label.replace(/[ \t\n]+/g, " ").trim() : label;

/** Whether two syntax trees have the same content, in any positions. */
export function sameTree(a: Nodes, b: Nodes): boolean {
  return sameValue(a, b);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  // a field that `a` has was compared, and those below it
  return sameFields(a, b) && Object.keys(b).every((key) => key in a || ignored.has(key) || (b[key] ?? null) === null);
}

/** A field that is absent, undefined or null is one and the same: parsers differ in which they write. */
function sameFields(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const key in a) {
    if (ignored.has(key)) continue;
    const [one, other] = [a[key] ?? null, b[key] ?? null];
    if (!(key === "label" ? sameValue(inOneLine(one), inOneLine(other)) : sameValue(one, other))) return false;
  }
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
