/**
 * Read confirmations: requiring them, the people who still have to confirm, and the ones that count
 * (`docs/life-cycle.md`).
 */
import type { Actor, SopFacts } from "../permissions/actor.ts";
import { can } from "../permissions/can.ts";
import { dayAfterDays, daysUntil } from "../periodic-review/rules.ts";

/**
 * Tells whether a user can request read confirmations and see who has confirmed: users who can publish the SOP, and an
 * owner who can edit it.
 */
export function mayRequestAcknowledgements(actor: Actor, sop: SopFacts): boolean {
  return can(actor, "sop.publish", sop) || (sop.ownerId === actor.userId && can(actor, "sop.edit", sop));
}

export const everyone = "everyone";

/**
 * Returns the ids with which an audience can include a user: the user's own, those of the user's teams, and `everyone`.
 */
export function audienceKeys({ userId, teamIds }: { userId: string; teamIds: readonly string[] }): string[] {
  return [everyone, `user:${userId}`, ...teamIds.map((id) => `team:${id}`)];
}

/** A period in which a version was published. */
export interface PublicationPeriod {
  version: number;
  /** `major` if any change since the previous published version was major. */
  changeClass: "minor" | "major";
  /** ISO times; `until` is null while the version is still published. */
  from: string;
  until: string | null;
}

/** The version to confirm now. */
export interface RequiredVersion {
  /** A confirmation of this version, or of one published after it, counts for the published version. */
  version: number;
  /** The ISO time since which a version has been published without a gap; minor changes don't interrupt it. */
  from: string;
}

/**
 * Finds the version that readers must confirm; null if no version is published. A minor change keeps earlier
 * confirmations; a major change makes readers confirm again.
 * @param history published versions in order of time; the last one is published now
 */
export function requiredVersion(history: readonly PublicationPeriod[]): RequiredVersion | null {
  const current = history.at(-1);
  if (!current || current.until !== null) return null;
  const start = history.findLast(({ changeClass }) => changeClass === "major") ?? history[0];
  const version = start?.version ?? current.version;
  let { from } = current;
  for (const period of history.slice(0, -1).reverse()) {
    if (period.version < version || period.until !== from) break;
    from = period.from;
  }
  return { version, from };
}

/**
 * Adds the class of change to each period, from the publication or else from the saved versions.
 * @param periods published versions in order of time; a version can occur twice; periods from older releases have no
 *   class
 * @param majors the versions saved as a major change, published or not
 */
export function withChangeClasses(
  periods: readonly (Omit<PublicationPeriod, "changeClass"> & { changeClass?: PublicationPeriod["changeClass"] })[],
  majors: readonly number[],
): PublicationPeriod[] {
  return periods.map(({ version, from, until, changeClass }) => {
    if (changeClass) return { version, from, until, changeClass };
    const before = Math.max(0, ...periods.map((one) => one.version).filter((one) => one < version));
    const isMajor = majors.some((one) => one > before && one <= version);
    return { version, from, until, changeClass: isMajor ? "major" : "minor" };
  });
}

/** Tells whether a confirmation of `version` is still valid for the published version. */
export function isConfirmationValid(version: number, run: RequiredVersion): boolean {
  return version >= run.version;
}

/**
 * Returns the last day to confirm on time, `YYYY-MM-DD`; null without a time limit. @param since ISO time at which the
 * version was published or requested
 */
export function dueDay(since: string, dueDays: number | null): string | null {
  return dueDays === null ? null : dayAfterDays(since, dueDays);
}

/** Tells whether a confirmation is overdue, which it is from the day after its due day. @param now ISO time */
export function isOverdue(dueBy: string | null, now: string): boolean {
  return dueBy !== null && daysUntil(dueBy, now) < 0;
}

/** The number of days before the due day on which readers get a reminder. */
const reminderDays = 3;

export type NoticeStage = "requested" | "due" | "overdue";

/**
 * Returns the latest notice that readers should have: `due` begins three days before the due day, if they had more than
 * three days. @param now ISO time
 */
export function noticeStage(dueBy: string | null, dueDays: number | null, now: string): NoticeStage {
  if (dueBy === null || dueDays === null) return "requested";
  if (isOverdue(dueBy, now)) return "overdue";
  return dueDays > reminderDays && daysUntil(dueBy, now) <= reminderDays ? "due" : "requested";
}
