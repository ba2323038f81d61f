/** State that the top bar and lists share. */
import { catalog } from "#core/language/catalog.ts";
import { useStoredChoice } from "../ui/use-stored.ts";

export type ListView = "grid" | "list";

/** Keeps the chosen view of lists in this browser. */
export function useListView() {
  return useStoredChoice<ListView>("list-view", ["grid", "list"], "list");
}

const searchTexts = catalog("shell.search", {
  sops: "Search SOPs by title, content, or keywords...",
  favorites: "Search your favorite SOPs...",
  recent: "Search your recent SOPs…",
  category: "Search SOPs in this category…",
  pending: "Search pending approvals…",
  confirmations: "Search people or SOPs…",
  users: "Search users by name, email, or username...",
  companies: "Search companies by name, slug, or industry…",
  audit: "Search the log…",
});

const searched: readonly [path: RegExp, what: keyof typeof searchTexts][] = [
  [/^\/sops$/, "sops"],
  [/^\/favorites$/, "favorites"],
  [/^\/recent$/, "recent"],
  [/^\/category\//, "category"],
  [/^\/pending$/, "pending"],
  [/^\/confirmations$/, "confirmations"],
  [/^\/admin\/(users|companies\/[^/]+\/users)$/, "users"],
  [/^\/admin\/companies$/, "companies"],
  [/^\/admin\/audit$/, "audit"],
];

/** Returns the label of the search field in the top bar if it searches the screen's list; `null` on other screens. */
export function listSearchLabel(pathname: string): string | null {
  const [, what] = searched.find(([path]) => path.test(pathname)) ?? [];
  return what === undefined ? null : searchTexts[what];
}
