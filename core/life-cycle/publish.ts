/** Publishes versions, at once or on a later day, and handles that day. */
import { dayRefusals, dayStart, isDay, readDay } from "../days.ts";
import { AppError } from "../errors.ts";
import { daysUntil } from "../periodic-review/rules.ts";
import type { EventApproval } from "../repository/event.ts";
import { slugify } from "../repository/slugs.ts";
import type { PublishAsk } from "../sops/publication.ts";
import {
  underReviewError,
  nextReviewDate,
  approvalRequiredError,
  scheduledDayOf,
  type DocumentControl,
  type SopState,
} from "../sops/rules.ts";
import type { PublishedVersion, StoredSop } from "./records.ts";
import { withoutPendingRequest, summaryFieldsOf, withDerivedFlags, type LifeCycleStep } from "./step.ts";
import { refusals } from "./refusals.ts";

/** The facts that a publication needs in addition to the latest version. */
export interface Publication {
  at: string;
  note: string | null;
  /** The approvals of the latest version; empty for a direct publication. */
  approvals?: readonly EventApproval[];
  /** The effective date as `YYYY-MM-DD`: the date chosen for this publication, or else the date in the file. */
  effective?: string | undefined;
  /** The change note for readers; null for none. Absent: `note`. */
  changeNote?: string | null;
  /** The change class for readers; absent: the class of the version. */
  changeClass?: "minor" | "major" | undefined;
  /** Months from publication to the next review, unless the file sets a later date. Null if no review is set. */
  reviewMonths: number | null;
}

/** Publishes the latest version, or schedules it for a later day. `reviewMonths` replaces a missing or past review date. */
export function publishStep(
  sop: StoredSop,
  { at, note, approvals = [], effective, changeNote = note, changeClass, reviewMonths }: Publication,
): LifeCycleStep {
  const from = effective !== undefined && isDay(effective) ? dayStart(effective) : at;
  const start = from > at ? from : at;
  const next = reviewMonths === null ? null : nextReviewDate(start, reviewMonths);
  const isAhead = sop.reviewBy !== null && isDay(sop.reviewBy) && daysUntil(sop.reviewBy, start) > 0;
  const reviewBy = isAhead ? sop.reviewBy : next;
  const ready: StoredSop = { ...withoutPendingRequest(sop), status: "published", reviewBy, updatedAt: at };
  const chosen = { ...publishedVersionFieldsOf(ready, at), effective: effective ?? null };
  const shown = { ...chosen, ...(changeClass && { changeClass }), ...(changeNote && { changeNote }) };
  if (from > at) {
    const waiting = withDerivedFlags({
      ...ready,
      scheduled: { ...shown, effectiveAt: from, approvals: [...approvals] },
    });
    return { verb: "schedule", sop: waiting, note, resolves: true, changes: { effectiveAt: from } };
  }
  const after = withDerivedFlags({
    ...ready,
    ...addressAndPublishedFields(sop, { ...shown, effectiveAt: at, approvals: [...approvals] }),
    scheduled: null,
  });
  return { verb: "publish", sop: after, note, approvals, resolves: true, changes: approvedByField(approvals) };
}

/**
 * @param choosesDay the user chooses a day, so a scheduled version can get another one
 * @throws AppError conflict when the latest version can't be published directly
 */
export function assertCanPublishDirectly(sop: SopState, control: DocumentControl, choosesDay = false): void {
  if (control !== "flexible") throw approvalRequiredError(control);
  const waits = scheduledDayOf(sop);
  if (waits !== null && choosesDay) return;
  if (waits !== null) throw new AppError("conflict", refusals.waitingVersion({ version: sop.version, waits }));
  if (sop.status === "published") throw new AppError("conflict", refusals.publishedAlready());
  if (sop.status === "archived") throw new AppError("conflict", refusals.archivedBeforePublishing());
  if (sop.status === "under_review") throw underReviewError();
}

/**
 * Plans the direct publication of the latest version, after `assertCanPublishDirectly`.
 * @param asked the fields of the user's request
 * @param inText the effective date of the version's text
 */
export function planPublish(
  sop: StoredSop,
  { effectiveAt, changeClass }: Pick<PublishAsk, "effectiveAt" | "changeClass">,
  { inText, ...facts }: { inText: string | undefined; at: string; note: string | null; reviewMonths: number | null },
): LifeCycleStep {
  const effective = readDateField(effectiveAt, inText, "effectiveAt");
  const answers =
    scheduledDayOf(sop) === null ? { changeClass } : publicationFieldsForNewDay(sop.scheduled, changeClass);
  return publishStep(sop, { ...facts, effective, ...answers });
}

/**
 * Returns the publication fields for a new effective date. A scheduled version keeps its approvals, its note for
 * readers, and its change class, unless the user chooses another class.
 */
function publicationFieldsForNewDay(
  scheduled: StoredSop["scheduled"],
  chosen: PublishAsk["changeClass"],
): Pick<Publication, "approvals" | "changeClass" | "changeNote"> {
  const { approvals = [], changeClass = chosen, changeNote } = scheduled ?? {};
  return { approvals, changeClass: chosen ?? changeClass, ...(changeNote !== undefined && { changeNote }) };
}

/**
 * Reads the day in a date field of a request. Null and an empty text clear the date; an absent field keeps `before`.
 * @throws AppError invalid_input for a text that doesn't mean one day: without the date, the version would be published
 *   at once
 */
export function readDateField(
  input: string | null | undefined,
  before: string | undefined,
  field: string,
): string | undefined {
  if (input === undefined) return before;
  if (input === null || input === "") return undefined;
  const day = readDay(input);
  if (day === null) throw new AppError("invalid_input", dayRefusals.form(), { [field]: dayRefusals.form() });
  return day;
}

/** Tells whether a scheduled version has reached its effective date; false for a deleted SOP. */
export function isScheduledVersionDue({ scheduled, deletedAt }: StoredSop, now: string): boolean {
  return scheduled !== null && scheduled.effectiveAt <= now && deletedAt === null;
}

/**
 * Plans the step of a scheduled version on its effective date: the version is published, or becomes a draft again.
 * @param isRuleMet true if the approvals of the version meet the approval rule of today, which can be stricter
 */
export function planScheduledDay(sop: StoredSop, isRuleMet: boolean, at: string): LifeCycleStep {
  const { scheduled } = sop;
  if (!scheduled) throw new Error("nothing waits for its day");
  const { version } = scheduled;
  const step = isRuleMet ? takeEffectStep(sop, scheduled, at) : lapseStep(sop, scheduled, at);
  return { ...step, scheduled: version, changes: { ...step.changes, version, scheduled: true } };
}

type ScheduledVersion = StoredSop["scheduled"] & object;

/** Publishes the scheduled version. A later draft stays a draft. */
function takeEffectStep(sop: StoredSop, scheduled: ScheduledVersion, at: string): LifeCycleStep {
  const after = withDerivedFlags({
    ...sop,
    ...addressAndPublishedFields(sop, { ...scheduled, effectiveAt: at, updatedAt: at }),
    scheduled: null,
  });
  return { verb: "publish", sop: after, approvals: scheduled.approvals, changes: approvedByField(scheduled.approvals) };
}

/** Ends the schedule without a publication. The version becomes a draft, unless a later draft exists. */
function lapseStep(sop: StoredSop, scheduled: ScheduledVersion, at: string): LifeCycleStep {
  const isLatest = sop.status === "published" && sop.version === scheduled.version;
  const after = withDerivedFlags({ ...sop, status: isLatest ? "draft" : sop.status, scheduled: null, updatedAt: at });
  return { verb: "lapse", sop: after, changes: { effectiveAt: { from: scheduled.effectiveAt, to: null } } };
}

function publishedVersionFieldsOf(sop: StoredSop, updatedAt: string): Omit<PublishedVersion, "effectiveAt"> {
  const { version, contentHash, assets, linksTo = [], categoryId } = sop;
  return { ...summaryFieldsOf(sop), version, contentHash, assets, linksTo, categoryId, updatedAt };
}

/**
 * Returns the published version with the SOP's address, which the first published title fixes. An address from a draft
 * would show readers the draft's title.
 */
function addressAndPublishedFields({ slug, addressFixed }: StoredSop, published: PublishedVersion) {
  return { slug: addressFixed ? slug : slugify(published.title), addressFixed: true as const, published };
}

const approvedByField = (approvals: readonly EventApproval[]): Record<string, unknown> =>
  approvals.length === 0
    ? {}
    : { approvedBy: approvals.map(({ userId, name, username }) => ({ userId, name, username })) };

/** @throws AppError conflict when no version is published or scheduled */
export function unpublishStep(sop: StoredSop, at: string, note: string | null): LifeCycleStep {
  if (sop.published === null && !sop.scheduled) throw new AppError("conflict", refusals.notPublished());
  const after = withDerivedFlags({
    ...sop,
    status: sop.status === "under_review" ? sop.status : "draft",
    published: null,
    scheduled: null,
    updatedAt: at,
  });
  const from = sop.published?.version ?? null;
  return { verb: "unpublish", sop: after, note, changes: { publishedVersion: { from, to: null } } };
}
