/** The list below the search box of the top bar. */
import { clsx } from "clsx";
import { Search as SearchIcon } from "lucide-react";
import { Button } from "../ui/Button.tsx";
import type { Combobox } from "../ui/use-combobox.ts";
import { HitText } from "./HitText.tsx";
import { CorrectedQuery } from "./CorrectedQuery.tsx";
import { texts } from "./texts.ts";
import type { Search } from "./use-search.ts";

interface SearchResultsProps {
  typed: string;
  search: Search;
  combobox: Combobox;
}

export function SearchResults({ typed, search, combobox }: SearchResultsProps) {
  const { hits, isKnown, isError } = search;
  return (
    <div className="absolute top-full right-2 left-2 z-50 mt-1 animate-appear overflow-hidden rounded-lg sm:right-0 sm:left-auto sm:w-full border border-line bg-surface shadow-float">
      {isError ? <SearchFailure onRetry={search.retry} /> : <SearchStateText search={search} />}
      <div
        id={combobox.listId}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select holds no marked text
        role="listbox"
        aria-label={texts.results}
        aria-busy={search.isStale}
        className={clsx("max-h-[calc(100dvh-6rem)] overflow-y-auto p-1", search.isStale && isKnown && "opacity-60")}
      >
        {hits.map((hit, at) => (
          <SearchOption key={hit.sop.id} at={at} combobox={combobox}>
            <HitText {...hit} />
          </SearchOption>
        ))}
        <SearchOption at={hits.length} combobox={combobox}>
          <span className="flex items-center gap-2 text-primary">
            <SearchIcon aria-hidden className="size-4 shrink-0" />
            <span className="truncate">{texts.all({ query: typed })}</span>
          </span>
        </SearchOption>
      </div>
    </div>
  );
}

interface SearchOptionProps {
  at: number;
  combobox: Combobox;
  children: React.ReactNode;
}

function SearchOption({ at, combobox, children }: SearchOptionProps) {
  return (
    <div
      {...combobox.option(at)}
      className={clsx(
        "grid cursor-pointer grid-cols-[minmax(0,1fr)] gap-0.5 rounded-md px-3 py-2",
        at === combobox.active && "bg-sunken",
      )}
    >
      {children}
    </div>
  );
}

/** The state of the search as text, also for screen readers. */
function SearchStateText({ search: { hits, query, showingFor, isOutdated, isStale, isKnown } }: { search: Search }) {
  const isEmpty = isKnown && !isStale && hits.length === 0;
  return (
    <output className="block">
      {!isKnown && <span className="block px-4 pt-3 text-muted">{texts.searching}</span>}
      {isEmpty && (
        <span className="block px-4 pt-3">
          <span className="block font-medium">{texts.none({ query })}</span>
          <span className="block text-muted">{texts.noneHint}</span>
        </span>
      )}
      {isKnown && !isEmpty && showingFor !== undefined && (
        <span className="block px-4 pt-3 text-muted">
          <CorrectedQuery words={showingFor} />
        </span>
      )}
      {isKnown && isOutdated && <span className="block px-4 pt-3 text-muted">{texts.behind}</span>}
      {isKnown && !isStale && hits.length > 0 && <span className="sr-only">{texts.count({ count: hits.length })}</span>}
    </output>
  );
}

function SearchFailure({ onRetry }: { onRetry(): void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3">
      {texts.failed}
      <Button size="sm" onClick={onRetry}>
        {texts.again}
      </Button>
    </div>
  );
}
