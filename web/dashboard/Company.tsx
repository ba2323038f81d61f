/** The company's numbers at the end of the home page. Zeros are left out, except for the number of SOPs. */
import { type ReactNode } from "react";
import { Link } from "react-router-dom";
import { useAssistantPanel } from "../ai/use-panel.ts";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { RetryAlert } from "../ui/Alert.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Section } from "../ui/Section.tsx";
import { companyTexts as texts } from "./texts.ts";
import { numberText } from "#core/language/formats.ts";

export function CompanyFigures() {
  const { data, isError, refetch } = useRead("stats", "get", {});
  const assistant = useAssistantPanel();
  const may = useMay();
  const isAuthor = may("sop.create");
  return (
    <Section title={texts.heading}>
      {isError && !data ? (
        <RetryAlert text={texts.failed} retry={texts.tryAgain} onRetry={() => void refetch()} />
      ) : (
        <div className="flex min-h-18 flex-wrap items-end gap-x-6 gap-y-4 pt-4 sm:gap-x-12">
          <dl className="contents">
            <DashboardTile label={texts.totalSops} value={data?.totalSOPs} isKept>
              {(label) => <Link to="/sops">{label}</Link>}
            </DashboardTile>
            <DashboardTile label={texts.activeTeams} value={data?.activeTeams} />
            <DashboardTile label={texts.pendingApproval} value={data?.pendingApproval}>
              {(label) => <Link to="/pending">{label}</Link>}
            </DashboardTile>
            <DashboardTile label={texts.aiSuggestions} value={data?.aiSuggestions}>
              {isAuthor
                ? (label) => (
                    <button type="button" onClick={assistant.open}>
                      {label}
                    </button>
                  )
                : undefined}
            </DashboardTile>
          </dl>
          {isAuthor && <PublishedPerWeek />}
        </div>
      )}
    </Section>
  );
}

interface DashboardTileProps {
  label: string;
  /** Undefined while loading. */
  value: number | undefined;
  /** True to show the tile even if the value is zero. */
  isKept?: boolean;
  /** Wraps the label in a link or button; absent for plain text. */
  children?: ((label: string) => ReactNode) | undefined;
}

function DashboardTile({ label, value, isKept = false, children }: DashboardTileProps) {
  if (value === 0 && !isKept) return null;
  return (
    <div className="relative [&_a]:after:absolute [&_a]:after:inset-0 [&_button]:after:absolute [&_button]:after:inset-0 hover:[&_a]:underline hover:[&_button]:underline">
      <dt className="flex min-h-6 items-center text-t2 text-muted [&>*]:min-h-6 [&>a]:content-center">
        {children ? children(label) : label}
      </dt>
      <dd className="text-t5 font-semibold tracking-[-0.01em] tabular-nums" aria-busy={value === undefined}>
        {(value === undefined ? undefined : numberText(value)) ?? <Skeleton className="h-7 w-12" />}
      </dd>
    </div>
  );
}

/**
 * Shows the number of versions published in each recent week as bars, and nothing if there are none. Screen readers get
 * one sentence instead.
 */
function PublishedPerWeek() {
  const { data } = useRead("stats", "overview", {});
  const counts = data?.weeks.map(({ inForce }) => inForce) ?? [];
  const total = counts.reduce((sum, count) => sum + count, 0);
  const most = Math.max(1, ...counts);
  if (total === 0) return null;
  return (
    <figure className="ml-auto max-sm:ml-0">
      <figcaption className="text-t2 text-muted">{texts.weeks({ weeks: counts.length, count: total })}</figcaption>
      <p className="sr-only">{texts.perWeek({ counts: counts.join(", ") })}</p>
      <div aria-hidden className="flex h-9 items-end gap-1">
        {counts.map((count, week) => (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- weeks have no other name here and never move
            key={week}
            className="w-2.5 rounded-t-sm bg-primary"
            style={{ height: count === 0 ? "1px" : `${Math.max(12, (100 * count) / most)}%` }}
          />
        ))}
      </div>
    </figure>
  );
}
