/** Orders of a list of SOPs. Apart from the schemas, so that the CLI starts without them. */
const ascending = ["updated", "title", "number", "status", "category", "owner"] as const;

export type SopSortField = (typeof ascending)[number];

/** A field, or `-` and a field for the reverse; `relevance` is the default of a search, `-updated` of a list. */
export const sopSorts = [
  "relevance",
  ...ascending,
  "-updated",
  "-title",
  "-number",
  "-status",
  "-category",
  "-owner",
] as const;
export type SopSort = (typeof sopSorts)[number];

/** @returns null for the best match first */
export function sortOf(sort: SopSort): { field: SopSortField; isDescending: boolean } | null {
  if (sort === "relevance") return null;
  const field = ascending.find((one) => one === sort.replace(/^-/, "")) ?? "updated";
  return { field, isDescending: sort.startsWith("-") };
}
