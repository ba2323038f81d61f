/** The document control facts, on screen and in print. They load after the text. */
import type { ReactNode } from "react";
import { dueWithinDays } from "#core/periodic-review/rules.ts";
import type { Sop } from "#core/sops/schema.ts";
import { backdatedText } from "#core/export/effective-text.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useRead } from "../../api.ts";
import { useMay } from "../../session.tsx";
import { Fold } from "../../ui/Fold.tsx";
import { boundaryText, dateText } from "../../ui/time.ts";
import { controlTexts as texts, daysUntilDay, daysUntilDueText, outcomes } from "./control-texts.ts";
import { effectiveDay } from "../history/version-texts.ts";

export function ControlBlock({ sop }: { sop: Sop }) {
  const teams = useRead("teams", "list", {}, { enabled: sop.teamId !== null });
  const may = useMay();
  const team = teams.data?.find(({ id }) => id === sop.teamId)?.name ?? null;
  return (
    <Fold
      id="document-control"
      title={texts.heading}
      summary={may("sop.read_head", sop) ? undefined : approverNamesText(sop)}
    >
      <dl className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-4 gap-y-2 pb-4 text-sm print:grid-cols-[6rem_minmax(0,1fr)_6rem_minmax(0,1fr)] print:gap-y-0.5 print:pb-2">
        {controlFactsOf(sop, team).map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Fold>
  );
}

/**
 * Returns the names of the approvers, shown beside the collapsed section to readers who see only published versions.
 */
function approverNamesText({ control: { approvedBy: signatures } }: Sop): string | undefined {
  if (signatures.length === 0) return undefined;
  return texts.approvedByNames({ names: signatures.map(printedName).join(", ") });
}

function controlFactsOf(sop: Sop, team: string | null): [term: string, value: ReactNode][] {
  const { control, published, scheduled } = sop;
  const facts: [string, ReactNode | null | undefined][] = [
    [texts.changeClass, texts.classes[control.changeClass]],
    [texts.owner, control.owner ? printedName(control.owner) : texts.noOwner],
    [texts.team, team],
    [texts.category, sop.category?.name ?? texts.uncategorized],
    [texts.author, sop.author && printedName(sop.author)],
    [texts.updated, dateText(sop.updatedAt)],
    [texts.writtenBy, `${printedName(control.changedBy)}, ${dateText(control.changedBy.at)}`],
    [texts.approvedBy, approvalSignatures(sop)],
    [
      texts.planned,
      scheduled === null && isFutureDay(control.effective) ? boundaryText(control.effective) : notableEffectiveDay(sop),
    ],
    [texts.published, published && publishedVersionText(sop)],
    [texts.scheduled, scheduled && `v${scheduled.version}, ${effectiveDayText(scheduled.effectiveAt)}`],
    [texts.nextReview, sop.reviewBy && <NextReview key="next" sop={sop} day={sop.reviewBy} />],
    [texts.lastReview, lastReviewText(sop)],
    [texts.lastInForce, control.lastInForce === null ? null : `v${control.lastInForce}`],
  ];
  return facts.filter(
    (fact): fact is [string, ReactNode] => fact[1] !== null && fact[1] !== undefined && fact[1] !== "",
  );
}

/**
 * Lists the approvals. Says so if a version was published without approval, because it was imported or the company
 * publishes directly.
 */
function approvalSignatures({ control, status }: Sop): ReactNode | null {
  if (control.approvedBy.length === 0) return status === "published" ? texts.notApproved : null;
  return control.approvedBy.map((signature) => (
    <span
      key={`${printedName(signature)} ${signature.at}`}
      className="block"
    >{`${printedName(signature)}, ${dateText(signature.at)}`}</span>
  ));
}

function publishedVersionText({ published }: Sop): string {
  const version = `v${published?.version ?? ""}`;
  return published?.effectiveAt ? `${version}, ${boundaryText(published.effectiveAt)}` : version;
}

/** Returns the effective date if it differs from the day of publication, or a note if a draft has a past date. */
function notableEffectiveDay(sop: Sop): string | null {
  const { effective, backdated } = sop.control;
  if (sop.published?.version === sop.version || effective === null || !backdated) return effectiveDay(sop);
  return backdatedText(boundaryText(effective));
}

function effectiveDayText(effectiveAt: string | null): string {
  return effectiveAt === null ? "" : boundaryText(effectiveAt);
}

function isFutureDay(day: string | null): day is string {
  return day !== null && daysUntilDay(day) > 0;
}

/** Shows the date of the next review, with the number of days if the SOP is published and the date is near or past. */
function NextReview({ sop, day }: { sop: Sop; day: string }) {
  const days = daysUntilDay(day);
  if (sop.published === null || days > dueWithinDays) return boundaryText(day);
  return (
    <>
      {boundaryText(day)}{" "}
      <span className={days < 0 ? "text-destructive" : "text-muted"}>{`(${daysUntilDueText(days)})`}</span>
    </>
  );
}

function lastReviewText({ control: { lastReview: last } }: Sop): string | null {
  return last && `${outcomes[last.verdict].done}, ${printedName(last)}, ${dateText(last.at)}`;
}
