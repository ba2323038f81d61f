/** What the top bar and the lists share. */
import { useStored } from "../ui/use-stored.ts";

export type ListView = "grid" | "list";

/** Kept per browser. */
export function useListView() {
  return useStored<ListView>("list-view", ["grid", "list"], "list");
}

const searchLabels: readonly [path: RegExp, label: string][] = [
  [/^\/sops$/, "Search SOPs by title, content, or keywords..."],
  [/^\/favorites$/, "Search your favorite SOPs..."],
  [/^\/recent$/, "Search your recent SOPs…"],
  [/^\/category\//, "Search SOPs in this category…"],
  [/^\/pending$/, "Search pending approvals…"],
  [/^\/confirmations$/, "Search people or SOPs…"],
  [/^\/admin\/(users|companies\/[^/]+\/users)$/, "Search users by name, email, or username..."],
  [/^\/admin\/companies$/, "Search companies by name, slug, or industry…"],
  [/^\/admin\/audit$/, "Search the log…"],
];

/** On these screens the top bar's field searches the list; `null` elsewhere. */
export function listSearchLabel(pathname: string): string | null {
  return searchLabels.find(([path]) => path.test(pathname))?.[1] ?? null;
}
