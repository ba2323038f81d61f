/** Inclusion or exclusion of top-level fields. */
import type { Projection } from "../port.ts";

/** @returns a new object whose values are shared with the (frozen) document; the document itself without a projection */
export function project(document: object, projection: Projection | undefined): Record<string, unknown> {
  const source = document as Record<string, unknown>;
  if (!projection) return source;
  const names = Object.keys(projection).filter((name) => name !== "_id");
  const including = names.length > 0 ? projection[names[0] as string] === 1 : projection["_id"] === 1;
  const projected: Record<string, unknown> = {};
  if (including) {
    if (projection["_id"] !== 0) projected["_id"] = source["_id"];
    for (const name of names) if (source[name] !== undefined) projected[name] = source[name];
    return projected;
  }
  for (const name in source) if (projection[name] !== 0) projected[name] = source[name];
  return projected;
}
