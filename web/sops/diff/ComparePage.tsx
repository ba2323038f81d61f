import "../view/view.css";
import { ArrowLeftRight, Printer } from "lucide-react";
import { useParams, useSearchParams } from "react-router-dom";
import { ApiError } from "#core/api/client.ts";
import type { PublishedPeriod } from "#core/diff/schema.ts";
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useRead, type Output } from "../../api.ts";
import { PageHeading } from "../../shell/PageHeading.tsx";
import { Breadcrumb } from "../../ui/Breadcrumb.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState, ErrorState } from "../../ui/EmptyState.tsx";
import { Field } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { dateText } from "../../ui/time.ts";
import { LoadingMessage } from "../../ui/LoadingMessage.tsx";
import { DiffView } from "./DiffView.tsx";
import { historyTexts } from "../history/history-texts.ts";
import { SopNotFound } from "../view/SopNotFound.tsx";
import { compareTexts as texts } from "../history/version-texts.ts";
import { VersionFacts } from "../history/VersionFacts.tsx";

type ListedVersion = Output<"sops", "versions">[number];

/** /sop/:id/compare?from=&to= compares two versions. */
export function ComparePage() {
  const { id = "" } = useParams();
  const sop = useRead("sops", "get", { params: { id } });
  const versions = useRead("sops", "versions", { params: { id } });
  // The periods load before both sides are shown, because their line would move the text.
  const periods = useRead("sops", "publishedPeriods", { params: { id } });
  const error = sop.error ?? versions.error;
  if (error instanceof ApiError && error.status === 404) return <SopNotFound />;
  if (error instanceof ApiError && error.status === 501) return <ErrorState title={historyTexts.unavailable} />;
  if (sop.data && versions.data && !periods.isPending) {
    return <VersionComparison sop={sop.data} rows={versions.data} periods={periods.data ?? []} />;
  }
  if (!error) return <LoadingMessage>{historyTexts.loading}</LoadingMessage>;
  const retry = (): void => {
    void sop.refetch();
    void versions.refetch();
  };
  return <ErrorState title={historyTexts.failed} onRetry={retry} />;
}

interface ComparisonProps {
  sop: Sop;
  rows: readonly ListedVersion[];
  periods: readonly PublishedPeriod[];
}

function VersionComparison({ sop, rows, periods }: ComparisonProps) {
  const [params, setParams] = useSearchParams();
  const [from, to] = chosenVersionsOf(params, rows);
  const choose = (nextFrom: number, nextTo: number): void =>
    setParams({ from: String(nextFrom), to: String(nextTo) }, { replace: true });
  const [old, now] = [from, to].map((version) => rows.find((row) => row.version === version));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Breadcrumb
        items={[
          { label: texts.allSops, to: "/sops" },
          { label: sop.number, to: `/sop/${sop.id}` },
        ]}
      />
      <PageHeading
        title={texts.title}
        subtitle={
          <>
            <span className="hidden print:inline">{`${sop.number} · `}</span>
            <bdi>{sop.title}</bdi>
          </>
        }
        actions={
          <span data-print="hide">
            <Button onClick={() => window.print()}>
              <Printer aria-hidden />
              {texts.print}
            </Button>
          </span>
        }
      />
      {old && now && rows.length > 1 ? (
        <>
          <ComparedVersionChoices sop={sop} rows={rows} periods={periods} old={old} now={now} onChoose={choose} />
          <DiffView sopId={sop.id} from={old.version} to={now.version} />
        </>
      ) : (
        <EmptyState title={texts.onlyOne} hint={texts.onlyOneHint} />
      )}
    </div>
  );
}

/** Returns the two versions from the address. By default, the published or previous version and the latest version. */
function chosenVersionsOf(params: URLSearchParams, rows: readonly ListedVersion[]): [number, number] {
  const knownVersion = (name: string): number | undefined =>
    rows.find(({ version }) => version === Number(params.get(name)))?.version;
  const newest = rows[0]?.version ?? 1;
  const to = knownVersion("to") ?? newest;
  const published = rows.find((row) => row.isInForce && row.version < to)?.version;
  const before = rows.find(({ version }) => version < to)?.version;
  return [knownVersion("from") ?? published ?? before ?? to, to];
}

interface SidesProps extends ComparisonProps {
  old: ListedVersion;
  now: ListedVersion;
  onChoose(from: number, to: number): void;
}

function ComparedVersionChoices({ sop, rows, periods, old, now, onChoose }: SidesProps) {
  const options = rows.map((row) => ({ value: String(row.version), label: versionLabelOf(row) }));
  const versionSide = (label: string, row: ListedVersion, choose: (version: number) => void) => (
    <section aria-label={texts.version({ version: row.version })} className="grid min-w-0 content-start gap-2">
      <div data-print="hide">
        <Field label={label}>
          {(control) => (
            <Select
              {...control}
              value={String(row.version)}
              onChange={(event) => choose(Number(event.target.value))}
              options={options}
            />
          )}
        </Field>
      </div>
      <VersionFacts
        isChosen
        row={row}
        title={sop.title}
        periods={periods.filter(({ version }) => version === row.version)}
      />
    </section>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-b border-line pb-4 md:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] print:grid-cols-2">
      {versionSide(texts.from, old, (version) => onChoose(version, now.version))}
      <Button
        data-print="hide"
        size="icon"
        aria-label={texts.swap}
        title={texts.swap}
        // The margin aligns the button with the fields, below their labels.
        className="justify-self-center md:mt-6.5"
        onClick={() => onChoose(now.version, old.version)}
      >
        <ArrowLeftRight aria-hidden className="max-md:rotate-90" />
      </Button>
      {versionSide(texts.to, now, (version) => onChoose(old.version, version))}
    </div>
  );
}

/** Returns a version's label: 'v3 · Mar 5, 2026 · Ann Archer · Published'. */
function versionLabelOf(row: ListedVersion): string {
  const marks = [row.isCurrent && historyTexts.current, row.isInForce && historyTexts.published].filter(Boolean);
  return [`v${row.version}`, dateText(row.createdAt), printedName(row.changedBy), ...marks].join(" · ");
}
