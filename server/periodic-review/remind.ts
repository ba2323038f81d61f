/**
 * Sends each reminder of a periodic review once: 30 and 7 days before the review date, and when the review is overdue.
 * The date is that of the published version.
 */
import {
  dayAfterDays,
  daysUntil,
  dueWithinDays,
  dueReminderOf,
  type ReminderStep,
} from "#core/periodic-review/rules.ts";
import type { SopDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { forEachDue, findDoneMarks, runDeadlineOnce, type DeadlineJob } from "../jobs/deadlines.ts";
import { notifyUsers } from "../notifications/notify.ts";
import { findResponsibleUserIds } from "./responsible.ts";

interface Reminder {
  _id: string;
  companyId: string;
  reviewBy: string;
  step: ReminderStep;
  mark: string;
}

export const remindOfReviews: DeadlineJob = {
  name: "review reminders",
  everyMs: 3_600_000,
  async run(services, now) {
    const due = await services.db
      .collection("sops")
      .find(
        { "published.reviewBy": { $gt: "", $lte: dayAfterDays(now, dueWithinDays) }, hasPublished: true },
        { projection: { companyId: 1, "published.reviewBy": 1 } },
      );
    const reminders = due.flatMap((sop) => reminderFor(sop, now));
    const met = await findDoneMarks(
      services,
      reminders.map(({ mark }) => mark),
    );
    const open = reminders.filter(({ mark }) => !met.has(mark));
    await forEachDue(services, this.name, open, (reminder) => sendReviewReminder(services, reminder, now));
  },
};

function reminderFor({ _id, companyId, published }: SopDocument, now: string): Reminder[] {
  const reviewBy = published?.reviewBy;
  const step = reviewBy ? dueReminderOf(reviewBy, now) : null;
  return reviewBy && step ? [{ _id, companyId, reviewBy, step, mark: `review:${_id}:${reviewBy}:${step}` }] : [];
}

function sendReviewReminder(
  services: Services,
  { _id, companyId, reviewBy, step, mark }: Reminder,
  at: string,
): Promise<void> {
  return runDeadlineOnce(services, { mark, companyId, at }, async (tx) => {
    const sop = await tx.forCompany(companyId).collection("sops").findOne({ _id });
    // the SOP may have been reviewed or unpublished since the list was read
    if (!sop?.hasPublished || sop.published?.reviewBy !== reviewBy) return;
    await notifyUsers(tx, {
      companyId,
      to: await findResponsibleUserIds(tx, sop, at),
      kind: step === "overdue" ? "review_overdue" : "review_due",
      sopId: _id,
      actor: null,
      detail: { version: sop.published.version, reviewBy, days: daysUntil(reviewBy, at) },
      at,
    });
  });
}
