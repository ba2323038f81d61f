/** Periodic review (`docs/life-cycle.md`): its due date, its reminders, and the users who can record the outcome. */
import type { Actor, SopFacts } from "../permissions/actor.ts";
import { can } from "../permissions/can.ts";

/** Days before the review date on which the owner gets a reminder, the farthest first. */
const reminderDays = [30, 7] as const;
/** A review counts as due when this many days or fewer are left to its date. The list of due reviews uses this number. */
export const dueWithinDays = reminderDays[0];

export type ReminderStep = "30" | "7" | "overdue";

const dayMs = 24 * 3_600_000;

/**
 * Returns the whole days until a day; negative if the day has passed. @param day `YYYY-MM-DD` @param now ISO time or
 * day, UTC
 */
export function daysUntil(day: string, now: string): number {
  return Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${now.slice(0, 10)}T00:00:00Z`)) / dayMs);
}

/** The day that is a number of days after `now`. @param now ISO time @returns `YYYY-MM-DD` */
export function dayAfterDays(now: string, days: number): string {
  return new Date(Date.parse(`${now.slice(0, 10)}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/**
 * Returns the latest reminder that is due; null before the first. A review on short notice thus causes one reminder,
 * not three. On the review date itself, the review is not overdue yet.
 */
export function dueReminderOf(reviewBy: string, now: string): ReminderStep | null {
  const days = daysUntil(reviewBy, now);
  if (days < 0) return "overdue";
  if (days <= reminderDays[1]) return "7";
  return days <= reminderDays[0] ? "30" : null;
}

/**
 * Tells whether a user can record the outcome for a published SOP: users who can publish, and an owner who can edit.
 */
export function mayRecordReview(actor: Actor, sop: SopFacts): boolean {
  return can(actor, "sop.publish", sop) || (sop.ownerId === actor.userId && can(actor, "sop.edit", sop));
}
