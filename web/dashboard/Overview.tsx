/** How the SOPs stand and what came into force lately: for the eye as bars, for the ear as lists. */
import { useId, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { useRead } from "../api.ts";
import { Card } from "../ui/Card.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { statuses, type Status } from "../ui/StatusBadge.tsx";
import { dayText } from "../ui/time.ts";
import { overviewTexts as texts } from "./texts.ts";

const fills = {
  published: "bg-success",
  under_review: "bg-warning",
  draft: "bg-neutral",
  archived: "bg-line",
} as const;

export function Overview() {
  const { data, isError } = useRead("stats", "overview", {});
  if (isError && !data) return null;
  return (
    <div className="grid flex-1 basis-64 grid-cols-[repeat(auto-fit,minmax(min(16rem,100%),1fr))] gap-4">
      <Picture title={texts.status}>
        {data ? <ByStatus counts={data.byStatus} /> : <Skeleton className="mt-3 h-35" />}
      </Picture>
      <Picture title={texts.weeks}>{data ? <ByWeek weeks={data.weeks} /> : <Skeleton className="mt-3 h-24" />}</Picture>
    </div>
  );
}

function Picture({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="grid">
      <Card className="px-4 py-3">
        <h2 id={heading} className="font-semibold">
          {title}
        </h2>
        {children}
      </Card>
    </section>
  );
}

function ByStatus({ counts }: { counts: Partial<Record<Status, number>> }) {
  const rows = Object.entries(counts) as [Status, number][];
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const total = useRead("stats", "get", {}).data?.totalSOPs;
  const twice = rows.reduce((sum, [, count]) => sum + count, 0) - (total ?? Infinity);
  return (
    <>
      <ul className="mt-1 grid">
        {rows.map(([status, count]) => (
          <li key={status} className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 py-1.5">
            <Link to={`/sops?status=${status}`} className="after:absolute after:inset-0 hover:underline">
              {statuses[status].label}
            </Link>
            <span className="tabular-nums">{count.toLocaleString("en")}</span>
            <span aria-hidden className="col-span-2 mt-1 h-1.5 rounded-full bg-sunken">
              <span
                className={`block h-full rounded-full ${fills[status]}`}
                style={{ width: `${(100 * count) / most}%` }}
              />
            </span>
          </li>
        ))}
      </ul>
      {/* a published SOP with a draft counts in both, as in each status' list */}
      <p className="mt-1 min-h-4 text-xs text-muted">{twice > 0 && texts.twice(twice)}</p>
    </>
  );
}

function ByWeek({ weeks }: { weeks: readonly { from: string; inForce: number }[] }) {
  const most = Math.max(1, ...weeks.map((week) => week.inForce));
  const total = weeks.reduce((sum, week) => sum + week.inForce, 0);
  return (
    <>
      <p className="text-sm text-muted">{texts.total(total)}</p>
      <ol className="mt-3 flex h-20 gap-1 border-b border-line">
        {weeks.map(({ from, inForce: published }) => {
          const label = texts.week(dayText(from), published);
          return (
            <li key={from} title={label} className="flex flex-1 items-end">
              <span className="sr-only">{label}</span>
              <span
                aria-hidden
                className="w-full rounded-t-sm bg-primary"
                style={{ height: published === 0 ? 0 : `max(0.25rem, ${(100 * published) / most}%)` }}
              />
            </li>
          );
        })}
      </ol>
      <p aria-hidden className="mt-1 flex justify-between text-xs text-muted">
        <span>{weeks[0] && dayText(weeks[0].from)}</span>
        <span>{texts.thisWeek}</span>
      </p>
    </>
  );
}
