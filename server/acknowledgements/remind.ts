/** Sends the reminders that a user requests. A reader gets at most one reminder a day, and so one email. */
import type { RemindBody } from "#core/acknowledgements/overview-schema.ts";
import { AppError } from "#core/errors.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { DuplicateKeyError } from "../database/port.ts";
import { transactionFor } from "../database/turns.ts";
import type { Services } from "../http/services.ts";
import { findDoneMarks, findDoneOrDamagedMarks } from "../jobs/deadlines.ts";
import { notifyUsers } from "../notifications/notify.ts";

import type { Tx } from "./audience.ts";
import { loadOverview, reminderMarkId, type OverviewRow } from "./overview.ts";

type ReminderServices = Pick<Services, "db" | "clock">;
type OpenReading = OverviewRow["readings"][number];

const attempts = 5;

/**
 * Sends reminders to the chosen readers, or else to all overdue readers except the caller. Skips readers who got a
 * reminder today.
 * @throws AppError not_found when the caller can remind a chosen reader of nothing
 */
export async function remindReaders(
  services: ReminderServices,
  call: SignedInCall,
  { userIds, sopId, ...filters }: RemindBody,
) {
  const { db, clock } = services;
  const { actor } = call.identity;
  const now = clock.now();
  const { people, sops } = await loadOverview(db, actor, filters, now);
  const isToRemind = ({ state, sopId: of }: OpenReading) =>
    (sopId === undefined || of === sopId) && (state === "overdue" || (state === "open" && userIds !== undefined));
  const open = people
    .map((person) => ({ ...person, readings: person.readings.filter(isToRemind) }))
    .filter(({ readings }) => readings.length > 0);
  const wanted = userIds && new Set(userIds);
  const chosen = open.filter(({ user }) => (wanted ? wanted.has(user.id) : user.id !== actor.userId));
  if (wanted && chosen.length < wanted.size) throw new AppError("not_found");
  const versionOf = new Map(sops.map(({ _id, published }) => [_id, published?.version ?? null]));
  const marks = chosen.map(({ user }) => reminderMarkId(user.id, now));
  let done = await findDoneMarks({ db }, marks);
  for (let attempt = 1; ; attempt++) {
    const fresh = chosen.filter(({ user }) => !done.has(reminderMarkId(user.id, now)));
    const answer = { reminded: fresh.length, already: chosen.length - fresh.length };
    if (fresh.length === 0) return answer;
    try {
      await transactionFor(db, actor.companyId, (tx) => storeReminders(tx, call, fresh, versionOf, now));
      return answer;
    } catch (error) {
      // another user has reminded some of these people at the same time, or the mark of a person can't be read
      if (!(error instanceof DuplicateKeyError) || attempt === attempts) throw error;
      done = await findDoneOrDamagedMarks({ db }, marks);
    }
  }
}

async function storeReminders(
  tx: Tx,
  call: SignedInCall,
  people: readonly OverviewRow[],
  versionOf: ReadonlyMap<string, number | null>,
  at: string,
): Promise<void> {
  const { user, actor } = call.identity;
  const { companyId } = actor;
  await tx
    .collection("deadline_marks")
    .insertMany(people.map(({ user: { id } }) => ({ _id: reminderMarkId(id, at), companyId, at })));
  const readings = people.flatMap((person) =>
    person.readings.map((reading) => ({ ...reading, userId: person.user.id })),
  );
  const bySop = Map.groupBy(readings, ({ sopId }) => sopId);
  for (const [sopId, ofSop] of bySop) {
    for (const group of Map.groupBy(ofSop, ({ state, dueBy }) => `${state} ${dueBy}`).values()) {
      const [first] = group;
      if (!first) continue;
      await notifyUsers(tx, {
        companyId,
        to: group.map(({ userId }) => userId),
        kind: "acknowledgement_due",
        sopId,
        actor: user,
        detail: {
          version: versionOf.get(sopId) ?? null,
          dueAt: first.dueBy,
          overdue: Number(first.state === "overdue"),
        },
        at,
      });
    }
  }
  await recordChange(
    tx,
    call,
    { companyId, at, hears: { resources: ["acknowledgements"], to: [user._id] }, answer: companyId },
    ...[...bySop].map(([sopId, ofSop]) => ({
      action: "sop.acknowledgement_remind" as const,
      entityType: "sop",
      entityId: sopId,
      changes: { userIds: ofSop.map(({ userId }) => userId) },
    })),
  );
}
