/** The results on the search page: title, facts, and the matching step with its own link. */
import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import { Link } from "react-router-dom";
import type { ListedRow } from "#core/sops/list-schema.ts";
import { useListKeys } from "../approvals/use-list-keys.ts";
import { RowStatus } from "../sops/list/SopLine.tsx";
import type { SopsProps } from "../sops/list/SopList.tsx";
import { useRestoredPosition, useListPosition } from "../sops/list/use-list-position.ts";
import { HighlightedText } from "./HitText.tsx";
import { hitAddressOf } from "./hit-address.ts";
import { pageTexts } from "./page-texts.ts";
import { texts } from "./texts.ts";

export function SearchHits({ sops, hasMore }: SopsProps) {
  const list = useRef<HTMLUListElement>(null);
  const { focusedId, setFocusedId } = useRestoredPosition(list, useListPosition<null>("search"), () => null);
  useListKeys(
    sops.map(({ id }) => id),
    focusedId,
    setFocusedId,
  );
  useArrowKeys(list);
  const line = indexOfFirstPartialHit(sops);
  return (
    <ul ref={list}>
      {sops.map((sop, at) => (
        <li
          key={sop.id}
          className="border-b border-line"
          aria-posinset={at + 1}
          aria-setsize={hasMore ? -1 : sops.length}
        >
          {at === line && <p className="pt-4 pb-1 text-t2 text-muted">{pageTexts.notAll}</p>}
          <SearchHitArticle sop={sop} />
        </li>
      ))}
    </ul>
  );
}

/**
 * Returns the index of the first hit that lacks a searched word, if all hits with every word come before that hit.
 * Otherwise returns -1, as for lists that aren't sorted by best match.
 */
function indexOfFirstPartialHit(sops: readonly ListedRow[]): number {
  const hasAll = sops.map(({ match }) => match?.missing.length === 0);
  const line = hasAll.indexOf(false);
  return line > 0 && !hasAll.includes(true, line) ? line : -1;
}

function SearchHitArticle({ sop }: { sop: ListedRow }) {
  const { match } = sop;
  const title = match?.title ?? { text: sop.title, ranges: [] };
  return (
    <article className="-mx-2 grid grid-cols-[minmax(0,1fr)] gap-1 rounded-md px-2 py-3 focus-within:bg-sunken hover:bg-sunken">
      <h3 dir="auto" className="text-base font-semibold">
        <Link to={`/sop/${sop.id}`} data-sop={sop.id} data-hit className="-my-2.5 inline-block py-2.5">
          <HighlightedText {...title} />
        </Link>
      </h3>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-t2 text-muted">
        <RowStatus sop={sop} />
        {sop.category && <span>{sop.category.name}</span>}
        <span className="font-mono text-t1">{sop.number}</span>
      </p>
      {match && <SearchHitPlace sop={sop} match={match} />}
    </article>
  );
}

function SearchHitPlace({ sop, match }: { sop: ListedRow; match: NonNullable<ListedRow["match"]> }) {
  const { step, snippet, missing } = match;
  const text = <HighlightedText {...snippet} />;
  return (
    <>
      {step ? (
        <Link
          to={hitAddressOf({ sop, step })}
          data-hit
          className="-ml-2 flex min-h-7 items-baseline gap-2 rounded-md px-2 py-1 pointer-coarse:min-h-11"
        >
          <HitStepPlace step={step} isHeading={step.heading === snippet.text} />
          <span dir="auto" className="line-clamp-2 text-t2 text-muted">
            {text}
          </span>
        </Link>
      ) : (
        <p dir="auto" className="line-clamp-2 text-t2 text-muted">
          {text}
        </p>
      )}
      {missing.length > 0 && (
        <p className="text-t1 text-muted">
          {texts.missing} {missing.join(", ")}
        </p>
      )}
    </>
  );
}

interface HitStepPlaceProps {
  step: NonNullable<NonNullable<ListedRow["match"]>["step"]>;
  /** True if the hit is the heading itself, which then isn't repeated. */
  isHeading: boolean;
}

function HitStepPlace({ step, isHeading }: HitStepPlaceProps): ReactNode {
  const where = step.number === null ? !isHeading && step.heading : texts.step({ number: step.number });
  return where ? <b className="shrink-0 text-t2 font-medium">{where}</b> : null;
}

/** Lets the arrow keys move the focus from the search field through titles and steps, and back. */
function useArrowKeys(list: React.RefObject<HTMLElement | null>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const field = document.querySelector<HTMLElement>("header search input");
    const links = [...(list.current?.querySelectorAll<HTMLElement>("[data-hit]") ?? [])];
    const stops = field ? [field, ...links] : links;
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const next = at === -1 ? undefined : stops[at + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", handleKey);
    return () => window.removeEventListener("keydown", handleKey);
  }, []);
}
