/** Keeps a list's filters in the address, so that they survive a reload and Back, and can be shared as a link. */
import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import { sopSorts, type SopSort } from "#core/sops/sorts.ts";
import type { Input } from "../../api.ts";
import { statusTexts, timeTexts } from "../texts.ts";

export interface SopFilters {
  /** A category's id, or `all`. */
  category: string;
  status: keyof typeof statusTexts;
  time: keyof typeof timeTexts;
  /** `owner` and `team` hold an id or `none`, `tag` holds a tag. `all` means no filter. */
  owner: string;
  tag: string;
  team: string;
  /** A language's tag, or `all`. */
  lang: string;
  /** The chosen order; empty for the list's default. */
  sort: "" | SopSort;
  search: string;
  /** `review` and `mine` are set only by links on the home page. */
  review: "all" | "due";
  mine: "all" | "true";
}

export type SopListQuery = NonNullable<NonNullable<Input<"sops", "list">>["query"]>;

export const unset: SopFilters = {
  category: "all",
  status: "all",
  time: "anytime",
  owner: "all",
  tag: "all",
  team: "all",
  lang: "all",
  sort: "",
  search: "",
  review: "all",
  mine: "all",
};

export function useSopFilters() {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => readSopFilters(params), [params]);

  /** Typing replaces the history entry; choosing a value adds one. */
  const set = useCallback(
    (change: Partial<SopFilters>, options: { replace?: boolean } = {}) =>
      setParams((current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries(change)) {
          if (value === unset[name as keyof SopFilters]) next.delete(name);
          else next.set(name, value);
        }
        return next;
      }, options),
    [setParams],
  );
  const { sort } = filters;
  const clear = useCallback(() => set({ ...unset, sort }), [set, sort]);

  const isFiltered = Object.entries(filters).some(
    ([name, value]) => name !== "sort" && value !== unset[name as keyof SopFilters],
  );
  return { filters, set, clear, isFiltered };
}

function knownKeyOf<K extends string>(texts: Readonly<Record<K, string>>, value: string | null): K | undefined {
  return (Object.keys(texts) as K[]).find((key) => key === value);
}

function readSopFilters(params: URLSearchParams): SopFilters {
  return {
    category: params.get("category") ?? unset.category,
    status: knownKeyOf(statusTexts, params.get("status")) ?? unset.status,
    time: knownKeyOf(timeTexts, params.get("time")) ?? unset.time,
    owner: params.get("owner") ?? unset.owner,
    tag: params.get("tag") ?? unset.tag,
    team: params.get("team") ?? unset.team,
    lang: params.get("lang") ?? unset.lang,
    sort: sopSorts.find((sort) => sort === params.get("sort")) ?? unset.sort,
    search: params.get("search") ?? unset.search,
    review: params.get("review") === "due" ? "due" : unset.review,
    mine: params.get("mine") === "true" ? "true" : unset.mine,
  };
}

/** Returns the query for the server. Leaves out filters set to "all". */
export function sopListQueryOf({ category, status, time, search, review, mine, ...more }: SopFilters): SopListQuery {
  const { owner, tag, team, lang, sort } = more;
  return {
    ...(category !== unset.category && { category }),
    ...(status !== "all" && { status }),
    ...(time !== "anytime" && { time }),
    ...(owner !== unset.owner && { owner }),
    ...(tag !== unset.tag && { tag }),
    ...(team !== unset.team && { team }),
    ...(lang !== unset.lang && { lang }),
    ...(sort !== "" && { sort }),
    ...(review !== "all" && { review }),
    ...(mine !== "all" && { mine }),
    ...(search.trim() && { search: search.trim() }),
  };
}
