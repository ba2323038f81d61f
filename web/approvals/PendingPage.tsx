import { useEffect, useRef } from "react";
import { ClipboardCheck, MousePointerClick } from "lucide-react";
import { finderOf } from "#core/search-keys.ts";
import { useRead } from "../api.ts";
import { PageHeading } from "../shell/PageHeading.tsx";
import { Alert } from "../ui/Alert.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { useUrlFilters } from "../use-url-filters.ts";
import type { Approval } from "./approval-words.ts";
import { PendingList } from "./PendingList.tsx";
import { pendingTexts as texts } from "./texts.ts";
import { useListKeys } from "./use-list-keys.ts";

const PendingDetails = lazyPart(
  () => import("./PendingDetails.tsx").then((module) => module.PendingDetails),
  () => <PageSpinner />,
);

const unset = { sop: "", search: "" };

/** /pending: what waits for me first, then what else I can see under review. The address holds the selection. */
export function PendingPage() {
  const pending = useRead("approvals", "list", { query: { status: "pending" } });
  const { filters, set } = useUrlFilters(unset);
  const shown = matching(pending.data ?? [], filters.search);
  const mine = (pending.data ?? []).filter(({ mayDecide }) => mayDecide);
  const panel = useRef<HTMLElement>(null);
  useListKeys(
    shown.map(({ sopId }) => sopId),
    filters.sop,
    (sop) => set({ sop }, { replace: true }),
  );
  useFocusWhenAlone(panel, filters.sop);
  const unread = pending.isError ? (
    <ErrorState title={texts.failed} onRetry={() => void pending.refetch()} />
  ) : (
    <Loading />
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeading title={texts.heading} subtitle={texts.subtitle} />
      {mine.length > 0 && (
        <Alert tone="warning" title={texts.actionTitle}>
          {texts.actionText}
        </Alert>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <div
          className={
            filters.sop === ""
              ? "grid grid-cols-[minmax(0,1fr)] gap-4"
              : "hidden grid-cols-[minmax(0,1fr)] gap-4 lg:grid"
          }
        >
          {pending.data ? (
            <Listed all={pending.data} shown={shown} selected={filters.sop} search={filters.search} />
          ) : (
            filters.sop === "" && unread
          )}
        </div>
        <section
          ref={panel}
          tabIndex={-1}
          aria-label={texts.details}
          className={filters.sop === "" ? "hidden outline-none lg:block" : "min-w-0 outline-none"}
        >
          {filters.sop === "" ? (
            <EmptyState title={texts.select} icon={<MousePointerClick />} />
          ) : pending.data ? (
            <PendingDetails
              key={filters.sop}
              sopId={filters.sop}
              listed={pending.data.find(({ sopId }) => sopId === filters.sop)}
            />
          ) : (
            unread
          )}
        </section>
      </div>
    </div>
  );
}

function matching(requests: readonly Approval[], search: string): Approval[] {
  const isFound = finderOf(search);
  return requests.filter(({ sop, requestedBy, approvers }) => {
    const names = approvers.map(({ user }) => user.name);
    return isFound([sop.title, sop.number, requestedBy.name, ...names].join(" "));
  });
}

/** On a small screen the details take the place of the list, and with it the focus. */
function useFocusWhenAlone(panel: React.RefObject<HTMLElement | null>, selected: string) {
  const last = useRef(selected);
  useEffect(() => {
    const changed = last.current !== selected;
    last.current = selected;
    const focused = document.activeElement;
    const isAlone = focused === document.body || focused?.checkVisibility?.() === false;
    if (changed && selected !== "" && isAlone) panel.current?.focus();
  }, [panel, selected]);
}

interface ListedProps {
  all: readonly Approval[];
  shown: readonly Approval[];
  selected: string;
  search: string;
}

function Listed({ all, shown, selected, search }: ListedProps) {
  if (all.length === 0) return <EmptyState title={texts.empty} hint={texts.emptyHint} icon={<ClipboardCheck />} />;
  if (shown.length === 0) return <EmptyState title={texts.noMatch} hint={texts.noMatchHint} />;
  return <PendingList requests={shown} selected={selected} search={search} />;
}

function Loading() {
  return (
    <output className="grid gap-2 lg:max-w-80">
      <span className="sr-only">{texts.loading}</span>
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <Skeleton key={row} className="h-20" />
      ))}
    </output>
  );
}
