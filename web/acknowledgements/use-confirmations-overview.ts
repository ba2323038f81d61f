import type { RemindBody } from "#core/acknowledgements/overview-schema.ts";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { queryKeyOf, errorMessageOf, useClient, useWrite, type Output } from "../api.ts";
import { useToast } from "../ui/Toast.tsx";
import { pagesStateOf } from "../use-pages.ts";
import { useUrlFilters } from "../use-url-filters.ts";
import { overviewTexts as texts } from "./texts.ts";

export type ConfirmationsOverview = Output<"acknowledgements", "overview">;
export type OverviewPerson = ConfirmationsOverview["people"][number];
export type OverviewSop = ConfirmationsOverview["sops"][number];
/** The state of a person for an SOP that the person was asked to read. */
export type PersonReading = OverviewPerson["readings"][number];

const defaultFilters = { show: "", teamId: "", categoryId: "", search: "" };
const filterChoices = { show: ["", "late", "due"] };

/**
 * Reads the table of people and SOPs with the filters in the address, page by page. The current table stays until the
 * next answer arrives.
 */
export function useConfirmationsOverview() {
  const client = useClient();
  const { filters, set, isFiltered } = useUrlFilters(defaultFilters, filterChoices);
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
  const { show: _show, ...about } = given;
  const pages = useInfiniteQuery({
    queryKey: [...queryKeyOf("acknowledgements", "overview", { query: given }), "pages"],
    queryFn: ({ pageParam, signal }) =>
      client.acknowledgements.overview({
        query: { ...given, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? null,
    placeholderData: keepPreviousData,
  });
  const found = pages.data?.pages ?? [];
  const latest = found.at(-1);
  return {
    filters,
    set,
    isFiltered,
    /** The filters that the counts apply to. */
    about,
    address: `/api/acknowledgements/overview/export?${new URLSearchParams(given).toString()}`,
    counts: latest?.counts,
    sops: latest?.sops ?? [],
    moreSops: latest?.moreSops ?? 0,
    people: found.flatMap(({ people }) => people),
    ...pagesStateOf(pages),
  };
}

/** Returns a function that sends reminders and shows how many people got one. */
export function useReminderSender() {
  const write = useWrite("acknowledgements", "remind");
  const toast = useToast();
  return {
    busy: write.isPending,
    async remind(body: RemindBody): Promise<void> {
      try {
        const { reminded } = await write.mutateAsync({ body });
        toast({ title: reminded === 0 ? texts.reminded : texts.remindedPeople({ count: reminded }) });
      } catch (error) {
        toast({ title: texts.error, description: errorMessageOf(error, texts.remindFailed), variant: "destructive" });
      }
    },
  };
}
