/**
 * JSON in its one canonical form for hashing (RFC 8785): members sorted by UTF-16 code units, no blanks, numbers and
 * texts as in ECMAScript. Leaves out undefined members. Escapes a lone surrogate, because a row that can't be chained
 * is worse.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
