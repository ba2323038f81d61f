/** Elements of HTML as browsers lay them out. */
import type { Element, Nodes } from "hast";

export function holdsOnlyLists(item: Element): boolean {
  const own = item.children.filter(
    (child) => !(child.type === "text" && child.value.trim() === "") && child.type !== "comment",
  );
  return own.length > 0 && own.every((child) => isNamed(child, "ol") || isNamed(child, "ul"));
}

export function isNamed(node: Nodes, name: string): boolean {
  return node.type === "element" && node.tagName === name;
}

export function classesOf({ properties }: Element): string[] {
  const { className } = properties;
  return Array.isArray(className) ? className.map(String) : [];
}

export function elementsNamed(parent: Element, name: string): Element[] {
  return parent.children.flatMap((child) =>
    child.type !== "element" ? [] : child.tagName === name ? [child] : elementsNamed(child, name),
  );
}

/** Rows as browsers order them: the head first, the foot last. */
export function rowsOf(table: Element): Element[] {
  const rows = (name: string) =>
    table.children.flatMap((part) => (isNamed(part, name) ? elementsNamed(part as Element, "tr") : []));
  const direct = table.children.flatMap((part): Element[] => {
    if (isNamed(part, "tr")) return [part as Element];
    return isNamed(part, "tbody") ? elementsNamed(part as Element, "tr") : [];
  });
  return [...rows("thead"), ...direct, ...rows("tfoot")];
}

export function spanOf(cell: Element, name: "colSpan" | "rowSpan"): number {
  const value = Math.trunc(Number(cell.properties[name] ?? 1));
  if (name === "rowSpan" && value === 0) return Number.MAX_SAFE_INTEGER;
  return Number.isFinite(value) && value > 0 ? Math.min(value, name === "colSpan" ? 1000 : 65_534) : 1;
}
