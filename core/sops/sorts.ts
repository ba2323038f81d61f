/** Orders of a list of SOPs. They have their own file, so that the CLI starts without the schemas. */
const ascending = ["updated", "title", "number", "status", "category", "owner"] as const;

export type SopSortField = (typeof ascending)[number];

/** The orders: a field, `-` and a field for the reverse order, or `relevance`. */
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

/** @returns null for the order by best match */
export function sortFieldOf(sort: SopSort): { field: SopSortField; isDescending: boolean } | null {
  if (sort === "relevance") return null;
  const field = ascending.find((one) => one === sort.replace(/^-/, "")) ?? "updated";
  return { field, isDescending: sort.startsWith("-") };
}
