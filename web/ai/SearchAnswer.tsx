/** Answers a question by search when AI is off: SOPs, and steps that match, as in the top bar. */
import { clsx } from "clsx";
import { useId } from "react";
import { Link } from "react-router-dom";
import { CorrectedQuery } from "../search/CorrectedQuery.tsx";
import { hitAddressOf } from "../search/hit-address.ts";
import { HitText } from "../search/HitText.tsx";
import { texts } from "../search/texts.ts";
import { useSearch } from "../search/use-search.ts";
import { ErrorState } from "../ui/EmptyState.tsx";
import { linkLineStyle } from "./line-style.ts";

const maxHits = 5;

const rowStyle = "block px-3 py-2 hover:bg-sunken focus-visible:-outline-offset-2";

export function SearchAnswer({ question }: { question: string }) {
  const id = useId();
  const { hits, query, showingFor, isOutdated, isStale, isKnown, isError, retry } = useSearch(question, maxHits);
  const isEmpty = isKnown && !isStale && hits.length === 0;
  if (isError) return <ErrorState title={texts.failed} onRetry={retry} />;
  return (
    <section
      aria-labelledby={id}
      aria-busy={isStale}
      className={clsx("grid grid-cols-[minmax(0,1fr)] gap-2", isStale && isKnown && "opacity-60")}
    >
      <div className="grid">
        <h3 id={id} className="text-xs font-semibold text-muted">
          {texts.results}
        </h3>
        <output className="grid">
          {!isKnown && <span className="text-muted">{texts.searching}</span>}
          {isEmpty && <span className="font-medium break-words">{texts.none({ query })}</span>}
          {isEmpty && <span className="text-muted">{texts.noneHint}</span>}
          {isKnown && !isEmpty && showingFor !== undefined && (
            <span className="text-muted">
              <CorrectedQuery words={showingFor} />
            </span>
          )}
          {isKnown && isOutdated && <span className="text-muted">{texts.behind}</span>}
          {isKnown && !isStale && hits.length > 0 && (
            <span className="sr-only">{texts.count({ count: hits.length })}</span>
          )}
        </output>
      </div>
      {hits.length > 0 && (
        <>
          <ul className="divide-y divide-line rounded-md border border-line">
            {hits.map((hit) => (
              <li key={hit.sop.id}>
                <Link to={hitAddressOf(hit)} className={rowStyle}>
                  <HitText {...hit} />
                </Link>
              </li>
            ))}
          </ul>
          <Link to={`/sops?${new URLSearchParams({ search: query })}`} className={linkLineStyle}>
            <span className="truncate">{texts.all({ query })}</span>
          </Link>
        </>
      )}
    </section>
  );
}
