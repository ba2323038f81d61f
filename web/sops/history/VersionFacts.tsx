import { clsx } from "clsx";
import type { PublishedPeriod } from "#core/diff/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { Output } from "../../api.ts";
import { Badge } from "../../ui/Badge.tsx";
import { dateTimeText } from "../../ui/time.ts";
import { historyTexts as texts } from "./history-texts.ts";
import { aiAssistedText, approvedText, changeClassLabels, periodText } from "./version-texts.ts";

interface VersionFactsProps {
  row: Output<"sops", "versions">[number];
  /** The SOP's current title. A version shows its own title only if it differs. */
  title: string;
  /** True if a field above shows the version's number. Paper has no fields, so the number is printed. */
  isChosen?: boolean;
  /** The periods in which this version was published. */
  periods: readonly PublishedPeriod[];
}

/** Shows a version's author, date, note and publication. */
export function VersionFacts({ row, title, isChosen = false, periods }: VersionFactsProps) {
  const onPaper = isChosen && "hidden print:block";
  return (
    <div className="min-w-0 flex-1 basis-56">
      <p className="flex flex-wrap items-center gap-2">
        <span className={clsx("text-t2 font-semibold", onPaper)}>{texts.shortVersion({ version: row.version })}</span>
        {!isChosen && row.isCurrent && <Badge tone="primary">{texts.current}</Badge>}
        {row.isCurrent && !row.isInForce && <Badge tone="outline">{texts.notPublished}</Badge>}
        {!isChosen && row.isInForce && <Badge tone="success">{texts.published}</Badge>}
        <Badge tone={row.changeClass === "major" ? "accent" : "outline"}>{changeClassLabels[row.changeClass]}</Badge>
      </p>
      {row.title !== title && <p className="mt-1 font-medium">{row.title}</p>}
      {row.changeNote && <p className="mt-1">{row.changeNote}</p>}
      <p className="mt-1 text-t2 text-muted">
        {printedName(row.changedBy)}, <time dateTime={row.createdAt}>{dateTimeText(row.createdAt)}</time>
        {row.restores !== null && ` · ${texts.restoredFrom({ version: row.restores })}`}
        {row.automatic && ` · ${texts.automatic}`}
      </p>
      {row.approvedBy.length > 0 && <p className="mt-0.5 text-t2 text-muted">{approvedText(row.approvedBy)}</p>}
      {row.ai.length > 0 && <p className="mt-0.5 text-t2 text-muted">{aiAssistedText(row.ai)}</p>}
      {periods.length > 0 && <p className="mt-0.5 text-t2 text-muted">{periods.map(periodText).join("; ")}</p>}
      {row.commit && (
        <details className="mt-0.5 text-t2 text-muted">
          <summary className="w-fit py-1 pointer-coarse:py-3.5">{texts.details}</summary>
          <p className="wrap-anywhere">
            {texts.commit} <span className="font-mono">{row.commit}</span>
          </p>
        </details>
      )}
    </div>
  );
}
