/** What the top bar and the lists share: grid or rows, filters shown or not. Kept per browser. */
import { useStored } from "../ui/use-stored.ts";

export type ListView = "grid" | "list";

export function useListView() {
  return useStored<ListView>("list-view", ["grid", "list"], "list");
}

/** Open where there is room, closed on a phone, until the user decides. */
export function useFiltersShown(): { shown: boolean; toggle(): void } {
  const [value, set] = useStored("filters", ["shown", "hidden"], window.innerWidth < 640 ? "hidden" : "shown");
  return { shown: value === "shown", toggle: () => set(value === "shown" ? "hidden" : "shown") };
}

/** Screens that show a list of SOPs; elsewhere the list's controls would do nothing. */
export function hasList(pathname: string): boolean {
  return ["/", "/sops", "/favorites", "/recent"].includes(pathname) || pathname.startsWith("/category/");
}

const searchLabels: readonly [path: RegExp, label: string][] = [
  [/^\/sops$/, "Search SOPs by title, content, or keywords..."],
  [/^\/favorites$/, "Search your favorite SOPs..."],
  [/^\/recent$/, "Search your recent SOPs…"],
  [/^\/category\//, "Search SOPs in this category…"],
  [/^\/pending$/, "Search pending approvals…"],
  [/^\/admin\/(users|companies\/[^/]+\/users)$/, "Search users by name, email, or username..."],
  [/^\/admin\/companies$/, "Search companies by name, slug, or industry…"],
  [/^\/admin\/audit$/, "Search the log…"],
];

/** On these screens the top bar's field searches the list; `null` elsewhere. */
export function listSearchLabel(pathname: string): string | null {
  return searchLabels.find(([path]) => path.test(pathname))?.[1] ?? null;
}

export const filtersId = "list-filters";
