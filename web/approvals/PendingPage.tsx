import { ClipboardCheck, MousePointerClick } from "lucide-react";
import { clsx } from "clsx";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { createSearchMatcher } from "#core/search-keys.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useRead } from "../api.ts";
import { createCommentDrafts, CommentDrafts } from "../comments/drafts.ts";
import { useHeadingFocus } from "../shell/PageHeading.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { useUrlFilters } from "../use-url-filters.ts";
import type { ListedApproval } from "./approval-words.ts";
import { PendingList } from "./PendingList.tsx";
import { pendingTexts as texts } from "./texts.ts";
import { useListKeys } from "./use-list-keys.ts";

const CasePane = lazyPart(
  () => import("./CasePane.tsx").then((module) => module.CasePane),
  () => <PageSpinner />,
);

const noFilters = { sop: "", search: "" };

/**
 * /pending: the list of requests, those that wait for the user's decision first, and the selected request. The address
 * holds the selection.
 */
export function PendingPage() {
  const pending = useRead("approvals", "list", { query: { status: "pending" } });
  const { filters, set } = useUrlFilters(noFilters);
  const heading = useHeadingFocus(texts.heading);
  const all = useMemo(() => approvalQueueOf(pending.data ?? []), [pending.data]);
  const shown = matchingRequests(all, filters.search);
  const mine = all.filter(({ mayDecide }) => mayDecide);
  const panel = useRef<HTMLElement>(null);
  const [drafts] = useState(createCommentDrafts);
  const openSop = (sop: string) => set({ sop }, { replace: true });
  useListKeys(
    shown.map(({ sopId }) => sopId),
    filters.sop,
    openSop,
  );
  const isOpen = filters.sop !== "";
  const isNoneFound = pending.data !== undefined && shown.length === 0;
  // Without pending requests the page has no second column.
  const isAlone = pending.data?.length === 0 && !isOpen;
  const place = mine.findIndex(({ sopId }) => sopId === filters.sop);
  useScrollToCaseStart(panel, filters.sop);
  const unread = pending.isError ? (
    <ErrorState title={texts.failed} onRetry={() => void pending.refetch()} />
  ) : (
    <PendingListLoading />
  );
  return (
    <CommentDrafts value={drafts}>
      <div
        className={clsx(
          "flex min-h-[calc(100dvh-var(--top-h))] flex-col",
          !isAlone && "lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] lg:items-stretch",
        )}
      >
        <div className={clsx("border-line", !isAlone && "lg:border-r")}>
          <div
            className={clsx(
              "grid grid-cols-[minmax(0,1fr)] content-start gap-4 lg:sticky lg:top-top lg:max-h-[calc(100dvh-var(--top-h))] lg:overflow-y-auto lg:px-3 lg:py-4",
              isOpen ? "max-lg:sr-only" : "p-4",
            )}
          >
            <header className="px-2">
              <h1 ref={heading} tabIndex={-1} className="text-t5 font-semibold tracking-tight">
                {texts.heading}
              </h1>
            </header>
            {/* The note and the list appear together, so that nothing moves. */}
            <div
              key={pending.data ? "listed" : "unread"}
              className={clsx("grid grid-cols-[minmax(0,1fr)] gap-4", isOpen && "max-lg:hidden")}
            >
              {mine.length > 0 && (
                <p className="-mt-4 px-2 text-t2 text-muted">
                  <b className="block font-semibold">{texts.actionTitle}</b> {texts.actionText}
                </p>
              )}
              {pending.data ? (
                <FilteredPendingList all={all} shown={shown} selected={filters.sop} search={filters.search} />
              ) : (
                !isOpen && unread
              )}
            </div>
          </div>
        </div>
        <section
          ref={panel}
          tabIndex={-1}
          aria-label={texts.details}
          className={clsx("min-w-0 flex-1 flex-col outline-none", isOpen ? "flex" : "hidden", !isAlone && "lg:flex")}
        >
          {!isOpen ? (
            // If the filters match nothing, there is no request to select.
            !isNoneFound && (
              <div className="p-8">
                <EmptyState title={texts.select} icon={<MousePointerClick />} />
              </div>
            )
          ) : pending.data ? (
            <CasePane
              key={filters.sop}
              sopId={filters.sop}
              listed={pending.data.find(({ sopId }) => sopId === filters.sop)}
              back={place === -1 ? texts.back : texts.place({ at: place + 1, of: mine.length })}
              onNext={() => {
                const rest = mine.filter(({ sopId }) => sopId !== filters.sop);
                const next = rest[place === -1 || place >= rest.length ? 0 : place];
                if (next) openSop(next.sopId);
              }}
            />
          ) : (
            <div className="p-4 sm:p-8">{unread}</div>
          )}
        </section>
      </div>
    </CommentDrafts>
  );
}

/** Sorts requests: first those that wait for the user, then the others, each group from oldest to newest. */
function approvalQueueOf(requests: readonly ListedApproval[]): ListedApproval[] {
  const byAge = requests.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  return [...byAge.filter(({ mayDecide }) => mayDecide), ...byAge.filter(({ mayDecide }) => !mayDecide)];
}

function matchingRequests(requests: readonly ListedApproval[], search: string): ListedApproval[] {
  const isFound = createSearchMatcher(search);
  return requests.filter(({ sop, requestedBy, approvers }) => {
    const names = approvers.map(({ user }) => printedName(user));
    return isFound([sop.title, sop.number, printedName(requestedBy), ...names].join(" "));
  });
}

/**
 * Scrolls to the top when another request is selected, and moves the focus to the panel if the focused element is gone.
 */
function useScrollToCaseStart(panel: React.RefObject<HTMLElement | null>, selected: string) {
  const last = useRef(selected);
  useLayoutEffect(() => {
    if (last.current !== selected) window.scrollTo(0, 0);
  }, [selected]);
  useEffect(() => {
    const changed = last.current !== selected;
    last.current = selected;
    const focused = document.activeElement;
    const isAlone = focused === document.body || focused?.checkVisibility?.() === false;
    if (changed && selected !== "" && isAlone) panel.current?.focus();
  }, [panel, selected]);
}

interface FilteredPendingListProps {
  all: readonly ListedApproval[];
  shown: readonly ListedApproval[];
  selected: string;
  search: string;
}

function FilteredPendingList({ all, shown, selected, search }: FilteredPendingListProps) {
  if (all.length === 0) return <EmptyState title={texts.empty} hint={texts.emptyHint} icon={<ClipboardCheck />} />;
  if (shown.length === 0) return <EmptyState title={texts.noMatch} hint={texts.noMatchHint} />;
  return <PendingList requests={shown} selected={selected} search={search} />;
}

function PendingListLoading() {
  return (
    <output className="grid gap-2">
      <span className="sr-only">{texts.loading}</span>
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} className="h-14" />
      ))}
    </output>
  );
}
