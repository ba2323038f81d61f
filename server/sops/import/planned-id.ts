import { createHash } from "node:crypto";

const v7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab]/i;

/**
 * The id of a document that an import would create, the same in its plan and in the import itself. A uuid v7 with the
 * import's own time, so that ids still sort by creation. Null if the import's id is no uuid v7.
 */
export function plannedIdOf(importId: string, key: string): string | null {
  const [, high, low] = v7.exec(importId) ?? [];
  if (high === undefined || low === undefined) return null;
  const hash = createHash("sha256").update(`${importId.toLowerCase()}\n${key}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hash[3] ?? "0", 16) & 3];
  const rest = `7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
  return `${high}-${low}-${rest}`.toLowerCase();
}
