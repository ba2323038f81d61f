import { BookOpenCheck, Download, Mail, Plus } from "lucide-react";
import { useState } from "react";
import { categoryOptions } from "../categories/category-options.ts";
import { useRead } from "../api.ts";
import { useHeadingFocus } from "../shell/PageHeading.tsx";
import { Button } from "../ui/Button.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Select } from "../ui/Select.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { FilterTabs } from "../ui/Tabs.tsx";
import { ConfirmationsTable } from "./ConfirmationsTable.tsx";
import { UnconfirmedReaders } from "./UnconfirmedReaders.tsx";
import { overviewTexts as texts } from "./texts.ts";
import {
  useConfirmationsOverview,
  useReminderSender,
  type ConfirmationsOverview,
} from "./use-confirmations-overview.ts";
import { boundaryText } from "../ui/time.ts";

const AskToReadDialog = lazyPart(() => import("./AskToReadDialog.tsx").then((module) => module.AskToReadDialog));
const ReadingDialog = lazyPart(() => import("./ReadingDialog.tsx").then((module) => module.ReadingDialog));

/** /confirmations: a table with a row per person and a column per SOP, overdue ones first. */
export function ConfirmationsPage() {
  const overview = useConfirmationsOverview();
  const [isAsking, setAsking] = useState(false);
  const [open, setOpen] = useState<{ userId: string; sopId: string } | null>(null);
  const person = overview.people.find(({ user }) => user.id === open?.userId);
  const sop = overview.sops.find(({ id }) => id === open?.sopId);
  const ask = (
    <Button onClick={() => setAsking(true)}>
      <Plus aria-hidden />
      {texts.ask}
    </Button>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <ConfirmationsHeading counts={overview.counts} />
        <div className="flex flex-wrap gap-2">
          <Button asChild className="max-sm:hidden">
            <a href={overview.address} download aria-label={texts.csvLabel}>
              <Download aria-hidden />
              {texts.csv}
            </a>
          </Button>
          {ask}
          <RemindAllButton count={overview.counts?.toRemind ?? 0} about={overview.about} />
        </div>
      </header>
      <ConfirmationFilters {...overview} />
      {overview.hasFailed ? (
        <ErrorState title={texts.failed} onRetry={overview.retry} />
      ) : overview.isPending ? (
        <ConfirmationsLoading />
      ) : overview.people.length === 0 ? (
        <EmptyState
          icon={<BookOpenCheck />}
          title={overview.isFiltered ? texts.emptyFiltered : texts.empty}
          hint={overview.isFiltered ? texts.emptyFilteredHint : texts.emptyHint}
        />
      ) : (
        <div aria-busy={overview.isStale} className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <ConfirmationsTable
            people={overview.people}
            sops={overview.sops}
            onOpen={(userId, sopId) => setOpen({ userId, sopId })}
          />
          <UnconfirmedReaders people={overview.people} sops={overview.sops} />
          {overview.moreSops > 0 && (
            <p className="text-sm text-muted">{texts.moreSops({ count: overview.moreSops })}</p>
          )}
          {overview.more.hasMore && (
            <div className="text-center">
              <Button busy={overview.more.isLoading} onClick={overview.more.load}>
                {texts.more}
              </Button>
            </div>
          )}
        </div>
      )}
      {isAsking && <AskToReadDialog onClose={() => setAsking(false)} />}
      {person && sop && <ReadingDialog person={person} sop={sop} onClose={() => setOpen(null)} />}
    </div>
  );
}

/**
 * The heading shows the number of overdue confirmations; if there are none, the number of those due; otherwise the
 * page's name.
 */
function ConfirmationsHeading({ counts }: { counts: ConfirmationsOverview["counts"] | undefined }) {
  const heading = useHeadingFocus(texts.title);
  const { late = 0, due = 0, dueBy = null } = counts ?? {};
  return (
    <div className="flex min-w-0 grow basis-64 flex-wrap items-baseline gap-x-3">
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold tracking-tight">
        {late > 0 ? texts.overdue({ count: late }) : due > 0 ? texts.waiting({ count: due }) : texts.title}
      </h1>
      {late > 0 && due > 0 && (
        <p className="text-muted">
          {dueBy === null
            ? texts.moreDue({ count: due })
            : texts.moreDueBy({ count: due, day: boundaryText(dueBy, "month") })}
        </p>
      )}
    </div>
  );
}

/** A button that reminds all counted people. `about` has the filters that the server counted with. */
function RemindAllButton({ count, about }: { count: number; about: Record<string, string> }) {
  const { busy, remind } = useReminderSender();
  if (count === 0) return null;
  return (
    <Button variant="primary" busy={busy} onClick={() => void remind(about)}>
      <Mail aria-hidden />
      {texts.remindAll({ count })}
    </Button>
  );
}

function ConfirmationFilters({ filters, set, counts }: ReturnType<typeof useConfirmationsOverview>) {
  const teams = useRead("teams", "list", {});
  const categories = useRead("categories", "list", {});
  const shows = [
    { value: "", label: texts.everyone },
    { value: "late", label: texts.late, count: counts?.late },
    { value: "due", label: texts.due, count: counts?.due },
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <FilterTabs label={texts.show} value={filters.show} onValueChange={(show) => set({ show })} tabs={shows} />
      <div className="ml-auto flex gap-2 max-sm:hidden">
        <Select
          quiet
          aria-label={texts.team}
          value={filters.teamId}
          onChange={(event) => set({ teamId: event.target.value })}
          options={[
            { value: "", label: texts.allTeams },
            ...(teams.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <Select
          quiet
          aria-label={texts.category}
          value={filters.categoryId}
          onChange={(event) => set({ categoryId: event.target.value })}
          options={[{ value: "", label: texts.allCategories }, ...categoryOptions(categories.data)]}
        />
      </div>
    </div>
  );
}

function ConfirmationsLoading() {
  return (
    <output className="grid gap-2 pt-12" aria-label={texts.loading}>
      {[1, 2, 3, 4, 5, 6, 7, 8].map((line) => (
        <Skeleton key={line} className="h-7" />
      ))}
    </output>
  );
}
