/** What the top bar and the lists share: grid or rows, filters shown or not. Kept per browser. */
import { useStored } from "../ui/use-stored.ts";

export type ListView = "grid" | "list";

export function useListView() {
  return useStored<ListView>("list-view", ["grid", "list"], "grid");
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

export const filtersId = "list-filters";
