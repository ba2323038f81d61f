import { GitPullRequest } from "lucide-react";
import { printedName } from "#core/users/printed-name.ts";
import { PageHeading } from "../shell/PageHeading.tsx";
import type { Output } from "../api.ts";
import { HomeRow, HomeRows } from "../dashboard/HomeRows.tsx";
import { ageText } from "../dashboard/ages.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { Section } from "../ui/Section.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { FilterTabs } from "../ui/Tabs.tsx";
import { usePages } from "../use-pages.ts";
import { useUrlFilters } from "../use-url-filters.ts";
import { stateLabels, texts } from "./texts.ts";

type ProposalRow = Output<"proposals", "list">["data"][number];

const defaults = { state: "open" };
const choices = { state: ["open", "all"] };

/** /proposals: proposals that wait for the user's decision first, then the user's own. */
export function ProposalsPage() {
  const { filters, set } = useUrlFilters(defaults, choices);
  const { rows, isPending, hasFailed, retry, more } = usePages("proposals", filters);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeading title={texts.title} subtitle={texts.subtitle} />
      <FilterTabs
        label={texts.show}
        value={filters.state}
        onValueChange={(state) => set({ state })}
        tabs={[
          { value: "open", label: texts.open },
          { value: "all", label: texts.closed },
        ]}
      />
      {hasFailed ? (
        <ErrorState title={texts.failed} onRetry={retry} />
      ) : isPending ? (
        <ProposalsLoading />
      ) : rows.length === 0 ? (
        <EmptyState
          icon={<GitPullRequest />}
          title={filters.state === "open" ? texts.empty : texts.emptyAll}
          hint={texts.emptyHint}
        />
      ) : (
        <ProposalGroups rows={rows} />
      )}
      {more?.hasMore && (
        <div className="text-center">
          <Button busy={more.isLoading} onClick={more.load}>
            {texts.more}
          </Button>
        </div>
      )}
    </div>
  );
}

function ProposalGroups({ rows }: { rows: readonly ProposalRow[] }) {
  const toDecide = rows.filter(({ mayDecide }) => mayDecide);
  const own = rows.filter(({ mayDecide, mayDismiss }) => !mayDecide && mayDismiss);
  const closed = rows.filter(({ state }) => state !== "open");
  return (
    <>
      <ProposalGroup title={texts.toDecide} rows={toDecide} />
      <ProposalGroup title={texts.own} rows={own} />
      <ProposalGroup title={texts.others} rows={closed} />
    </>
  );
}

function ProposalGroup({ title, rows }: { title: string; rows: readonly ProposalRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Section title={title} count={rows.length}>
      <HomeRows>
        {rows.map((row) => (
          <HomeRow
            key={row.id}
            icon={<GitPullRequest />}
            title={row.title}
            to={`/proposals/${row.number}`}
            meta={proposalMetadataText(row)}
            when={ageText(row.createdAt)}
          />
        ))}
      </HomeRows>
    </Section>
  );
}

function proposalMetadataText({ state, sop, isNew, author }: ProposalRow): string {
  const what = isNew ? texts.newSop : (sop?.number ?? texts.hidden);
  return [what, texts.by({ name: printedName(author) }), ...(state === "open" ? [] : [stateLabels[state]])].join(" · ");
}

function ProposalsLoading() {
  return (
    <output className="grid gap-2">
      <span className="sr-only">{texts.loading}</span>
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-11" />
      ))}
    </output>
  );
}
