/** The search results below the heading: filters on the left, hits in the same order as in the top bar. */
import { clsx } from "clsx";
import { Hand, ListFilter, Plus, SearchX } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { errorMessageOf, useWrite } from "../api.ts";
import { useMay } from "../session.tsx";
import { useCommand } from "../shortcuts/use-command.ts";
import { filterTexts } from "../sops/list/filter-texts.ts";
import { NoMatches } from "../sops/list/NoMatches.tsx";
import { SopList } from "../sops/list/SopList.tsx";
import { SortMenu } from "../sops/list/SortMenu.tsx";
import { texts as listTexts } from "../sops/texts.ts";
import { useFacets } from "../sops/list/use-facets.ts";
import { unset, type SopFilters, type SopListQuery } from "../sops/list/use-sop-filters.ts";
import { useSopList } from "../sops/list/use-sop-list.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { pageTexts } from "./page-texts.ts";
import { SearchFacets } from "./SearchFacets.tsx";
import { SearchHits } from "./SearchHits.tsx";
import { texts } from "./texts.ts";

interface SearchPageProps {
  filters: SopFilters;
  query: SopListQuery;
  set(change: Partial<SopFilters>): void;
}

export function SearchPage({ filters, query, set }: SearchPageProps) {
  const facets = useFacets(query);
  const first = useSopList(query).data?.pages[0];
  const [isOpen, setOpen] = useState(false);
  const panel = useRef<HTMLElement>(null);
  useCommand("filters", () => {
    setOpen(true);
    panel.current?.querySelector("button")?.focus();
  });
  const { search, sort, ...others } = filters;
  const isNarrowed = Object.values(others).some((value) => value !== "all" && value !== "anytime");
  const clearFilters = () => set({ ...unset, search, sort });
  return (
    <>
      <aside
        ref={panel}
        aria-label={filterTexts.filters}
        className={clsx("sm:row-span-3 sm:row-start-1", !isOpen && "max-sm:hidden")}
      >
        <SearchFacets facets={facets} filters={filters} set={set} />
        {isNarrowed && (
          <Button size="sm" onClick={clearFilters}>
            {pageTexts.clear}
          </Button>
        )}
      </aside>
      <div className="flex items-center justify-end gap-2 sm:col-start-2 sm:row-start-1 sm:justify-self-end">
        <Button className="sm:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ListFilter aria-hidden />
          {pageTexts.filter}
        </Button>
        <SortMenu filters={filters} set={set} isSmall={false} />
      </div>
      <div className="min-w-0 sm:col-start-2">
        <SopList
          query={query}
          title={listTexts.results}
          as={SearchHits}
          isSearch
          isFiltered
          emptyFiltered={
            isNarrowed ? (
              <NoMatches filters={filters} set={set} clear={clearFilters} facets={facets} />
            ) : (
              <NoHits key={query.search} words={query.search ?? ""} near={first?.nearTitles ?? []} />
            )
          }
        />
        {first?.alsoCalled && (
          <p className="pt-4 text-t2 text-muted">
            {pageTexts.alsoCalled}{" "}
            {first.alsoCalled.map((words, at) => (
              <span key={words}>
                {at > 0 && ", "}
                <Link to={`/sops?${new URLSearchParams({ search: words })}`} className="text-primary underline">
                  {words}
                </Link>
              </span>
            ))}
          </p>
        )}
      </div>
    </>
  );
}

/** For a search without hits: similar titles, and a way to request a missing SOP. */
function NoHits({ words, near }: { words: string; near: readonly { id: string; title: string }[] }) {
  const may = useMay();
  const ask = useWrite("search", "ask");
  return (
    <>
      <EmptyState
        icon={<SearchX />}
        title={texts.noneHint}
        hint={
          <span aria-live="polite">
            {ask.isSuccess
              ? pageTexts.asked
              : ask.isError
                ? errorMessageOf(ask.error, pageTexts.askFailed)
                : pageTexts.gap}
          </span>
        }
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {may("sop.create") && (
              <Button asChild>
                <Link to={`/sop/new?${new URLSearchParams({ title: words })}`}>
                  <Plus aria-hidden />
                  {pageTexts.write}
                </Link>
              </Button>
            )}
            <Button
              busy={ask.isPending}
              aria-disabled={ask.isSuccess || undefined}
              onClick={() => ask.isSuccess || ask.mutate({ body: { q: words } })}
            >
              <Hand aria-hidden />
              {pageTexts.ask}
            </Button>
          </span>
        }
      />
      {near.length > 0 && (
        <section aria-labelledby="near-titles" className="pt-4">
          <h3 id="near-titles" className="pb-1 text-t2 font-medium text-muted">
            {pageTexts.near}
          </h3>
          <ul>
            {near.map(({ id, title }) => (
              <li key={id} className="border-b border-line">
                <Link
                  dir="auto"
                  to={`/sop/${id}`}
                  data-hit
                  className="flex min-h-row items-center font-medium hover:underline"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
