/** /admin/server: the state of this server for its operator. The first line says whether something needs attention. */
import { clsx } from "clsx";
import { Check, CircleHelp, Minus, RefreshCw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ServerStatus, StatusPart } from "#core/status/schema.ts";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { AccessDenied } from "../shell/AccessDenied.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { Button } from "../ui/Button.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Section } from "../ui/Section.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { dateTimeText, timeAgo } from "../ui/time.ts";
import { texts } from "./texts.ts";
import { numberText } from "#core/language/formats.ts";

export function ServerPage() {
  const mayRead = useMay()("companies.manage");
  const status = useRead("status", "get", {}, { enabled: mayRead, onFocus: true });
  if (!mayRead) return <AccessDenied text={texts.denied} />;
  if (status.isError) return <ErrorState title={texts.failed} onRetry={() => void status.refetch()} />;
  if (!status.data) return <PageSpinner label={texts.loading} />;
  const bad = status.data.parts.filter(({ state }) => state === "warning" || state === "problem");
  return (
    <div className="grid gap-8">
      <PageHeading
        title={texts.heading}
        subtitle={
          <output>{`${bad.length === 0 ? texts.healthy : texts.attention({ count: bad.length })} · ${dateTimeText(status.data.at)}`}</output>
        }
        actions={
          <Button disabled={status.isFetching} onClick={() => void status.refetch()}>
            <RefreshCw aria-hidden />
            {texts.again}
          </Button>
        }
      />
      <Section title={texts.parts}>
        <ul className="divide-y divide-line">
          {status.data.parts.map((part) => (
            <ServerPart key={part.part} {...part} />
          ))}
        </ul>
      </Section>
      {status.data.damage.length > 0 && (
        <Section title={texts.damage}>
          <ul className="divide-y divide-line text-sm">
            {status.data.damage.map((line) => (
              <li key={line} className="py-1.5 wrap-anywhere">
                {line}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <ServerFactSection title={texts.mirrors} rows={mirrorFactRows(status.data)} />
      <ServerFactSection title={texts.facts} rows={serverFactsOf(status.data)} />
      <ServerFactSection title={texts.work} rows={workFactRows(status.data)} />
    </div>
  );
}

const looks: Record<StatusPart["state"], { icon: ReactNode; color: string }> = {
  ok: { icon: <Check />, color: "text-success" },
  warning: { icon: <TriangleAlert />, color: "text-warning" },
  problem: { icon: <TriangleAlert />, color: "text-destructive" },
  unknown: { icon: <CircleHelp />, color: "text-muted" },
  off: { icon: <Minus />, color: "text-muted" },
};

function ServerPart({ part, state, text }: StatusPart) {
  const { icon, color } = looks[state];
  return (
    <li className="grid min-h-9 grid-cols-[7rem_6rem_minmax(0,1fr)] items-center gap-x-3 py-1.5 text-sm max-sm:grid-cols-[minmax(0,1fr)_auto]">
      <span className="font-medium">{texts.names[part]}</span>
      <span className={clsx("flex items-center gap-1.5 text-t2 font-medium [&_svg]:size-4", color)}>
        <span aria-hidden>{icon}</span>
        {texts.states[state]}
      </span>
      <span className="text-t2 text-muted first-letter:uppercase max-sm:col-span-2">{text}</span>
    </li>
  );
}

type FactRow = readonly [name: string, value: string];

/** A section with facts; nothing if there are none. */
function ServerFactSection({ title, rows }: { title: string; rows: readonly FactRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <dl className="divide-y divide-line text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="grid min-h-9 grid-cols-[7rem_minmax(0,1fr)] items-center gap-x-3 py-1.5">
            <dt className="text-muted">{name}</dt>
            <dd className="tabular-nums wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const megabytesText = (bytes: number) => texts.megabytes({ size: Math.round(bytes / 1_000_000) });

function serverFactsOf(status: ServerStatus): FactRow[] {
  const { backup, diskFree } = status;
  const isKnown = !status.parts.some(({ state }) => state === "unknown");
  const countText = (count: number) => (isKnown ? numberText(count) : texts.unknown);
  return [
    [texts.version, status.version],
    [texts.engine, texts.engines[status.engine]],
    [texts.uptime, durationText(status.uptimeSeconds)],
    [texts.memory, megabytesText(status.memoryBytes)],
    ...(diskFree === null ? [] : [[texts.disk, `${Math.round(diskFree * 100)} %`] as const]),
    [texts.companies, countText(status.companies)],
    [texts.users, countText(status.users)],
    [texts.sops, countText(status.sops)],
    [texts.assets, isKnown ? megabytesText(status.assetBytes) : texts.unknown],
    ...(backup ? [[texts.backup, backupStateText(backup)] as const] : []),
  ];
}

function backupStateText({ at, ageSeconds, bytes }: NonNullable<ServerStatus["backup"]>): string {
  return texts.backupOf({
    ago: ageSeconds < 0 ? texts.backupFuture({ at: dateTimeText(at) }) : timeAgo(at),
    size: megabytesText(bytes),
  });
}

function mirrorFactRows({ mirrors }: ServerStatus): FactRow[] {
  return mirrors.map(({ company, state, problem }) => [
    company,
    `${(texts.mirrorStates as Readonly<Record<string, string>>)[state] ?? state}${problem === null ? "" : `: ${problem}`}`,
  ]);
}

/** Returns rows about background work that is running, waiting or late. Leaves out idle queues. */
function workFactRows(status: ServerStatus): FactRow[] {
  const { queues, database, jobs, emails, work, repositories } = status;
  const busy = [...queues, { queue: texts.engine, ...database }];
  const waits = [
    [texts.names.emails, emails.pending, emails.failed],
    [texts.names.repositories, repositories.pending, 0],
    [texts.work, work.pending, work.failed],
  ] as const;
  return [
    ...busy
      .filter(({ running, waiting }) => running + waiting > 0)
      .map(({ queue, running, waiting }) => [queue, texts.queue({ running, waiting })] as const),
    ...waits
      .filter(([, pending, failed]) => pending + failed > 0)
      .map(([name, pending, failed]) => {
        const parts = [pending > 0 && texts.waiting({ count: pending }), failed > 0 && texts.gaveUp({ count: failed })];
        return [name, parts.filter(Boolean).join(", ")] as const;
      }),
    ...jobs
      .filter(({ isLate }) => isLate)
      .map(
        ({ job, secondsAgo }) =>
          [job, texts.lateJob({ ago: texts.lengthAgo({ length: durationText(secondsAgo) }) })] as const,
      ),
  ];
}

function durationText(seconds: number): string {
  const units = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ] as const;
  const [unit, size] = units.find(([, each]) => seconds >= 2 * each) ?? ["second", 1];
  const count = Math.round(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
