/**
 * Notifies readers who still have to confirm: when confirmation starts, three days before the due day, and after it.
 */
import { setImmediate } from "node:timers/promises";
import { noticeStage, type NoticeStage } from "#core/acknowledgements/rules.ts";
import type { AcknowledgementPerson } from "#core/acknowledgements/schema.ts";
import { transactionFor } from "../database/turns.ts";
import type { SopDocument } from "../database/documents.ts";
import { DuplicateKeyError } from "../database/port.ts";
import type { Follower } from "../effects/follower.ts";
import type { Services } from "../http/services.ts";
import { forEachDue, findDoneMarks, findDoneOrDamagedMarks, type DeadlineJob } from "../jobs/deadlines.ts";
import { reportProgress } from "../jobs/overdue.ts";
import { notifyUsers } from "../notifications/notify.ts";
import { acknowledgementAskCollection, type Tx } from "./audience.ts";
import { loadConfirmations, type Confirmations } from "./confirmations.ts";

/** The maximum number of people in a transaction. Other requests run between two transactions. */
const peopleAtOnce = 200;
const attempts = 5;

type NoticeServices = Pick<Services, "db" | "clock">;

interface DueNotice {
  mark: string;
  userId: string;
  stage: NoticeStage;
  dueBy: string | null;
}

/**
 * Notifies readers in a separate transaction after the publication, because thousands of readers would delay its write.
 */
export const notifyReadersAtPublication: Follower<"reading.asked" | "sop.published" | "sop.undeleted"> = {
  name: "acknowledgements",
  follows: ["reading.asked", "sop.published", "sop.undeleted"],
  async later(services, { companyId, entityId }) {
    if (entityId !== null) await notifyReaders(services, companyId, entityId, services.clock.now());
  },
};

/** Notifies new members of the audience or its teams, and readers whose due day is near. */
export const remindOfAcknowledgements: DeadlineJob = {
  name: "acknowledgement reminders",
  everyMs: 3_600_000,
  async run(services, now) {
    const asks = await services.db
      .collection("acknowledgement_asks")
      .find({ createdAt: { $gt: "" } }, { sort: { createdAt: 1 }, projection: { companyId: 1, sopId: 1 } });
    await forEachDue(services, this.name, asks, async ({ companyId, sopId }) => {
      await notifyReaders(services, companyId, sopId, now);
      await setImmediate();
    });
  },
};

/**
 * Notifies each reader for whom the database has no mark of this notice. So several servers can run this at once, and a
 * server can run it again after a crash.
 */
async function notifyReaders(services: NoticeServices, companyId: string, sopId: string, now: string): Promise<void> {
  const sop = await services.db.forCompany(companyId).collection("sops").findOne({ _id: sopId });
  if (!sop?.hasPublished) return;
  const confirmations = await loadConfirmations(services.db, sop, now);
  const due = confirmations.people.flatMap((person) => noticesDueFor(confirmations, person, now));
  for (let from = 0; from < due.length; from += peopleAtOnce) {
    await notifyBatch(services, sop, confirmations, due.slice(from, from + peopleAtOnce), now);
    reportProgress();
  }
}

function noticesDueFor(
  { ask, run }: Confirmations,
  { user, state, dueBy }: AcknowledgementPerson,
  now: string,
): DueNotice[] {
  if (!ask || !run || (state !== "open" && state !== "overdue")) return [];
  const stage = noticeStage(dueBy, ask.dueDays, now);
  const day = stage === "requested" ? "" : `:${dueBy}`;
  return [{ mark: `acknowledge:${ask._id}:${run.from}:${user.id}:${stage}${day}`, userId: user.id, stage, dueBy }];
}

async function notifyBatch(
  services: NoticeServices,
  sop: SopDocument,
  confirmations: Confirmations,
  some: readonly DueNotice[],
  at: string,
) {
  let met = await findDoneMarks(
    services,
    some.map(({ mark }) => mark),
  );
  for (let attempt = 1; ; attempt++) {
    const open = some.filter(({ mark }) => !met.has(mark));
    if (open.length === 0) return;
    try {
      return await transactionFor(services.db, sop.companyId, (tx) => storeNotices(tx, sop, confirmations, open, at));
    } catch (error) {
      // another server has notified some of these readers, or the mark of a reader can't be read
      if (!(error instanceof DuplicateKeyError) || attempt === attempts) throw error;
      met = await findDoneOrDamagedMarks(
        services,
        some.map(({ mark }) => mark),
      );
    }
  }
}

async function storeNotices(
  tx: Tx,
  sop: SopDocument,
  { ask }: Confirmations,
  open: readonly DueNotice[],
  at: string,
): Promise<void> {
  const { _id: sopId, companyId } = sop;
  const now = await tx.forCompany(companyId).collection("sops").findOne({ _id: sopId });
  // the published version or the audience has changed since the readers were loaded; that change sends its own
  // notifications
  if (!ask || !now?.hasPublished || now.published?.version !== sop.published?.version) return;
  if (!(await acknowledgementAskCollection(tx, companyId).findOne({ _id: ask._id }))) return;
  await tx.collection("deadline_marks").insertMany(open.map(({ mark }) => ({ _id: mark, companyId, at })));
  const asker = await tx.forCompany(companyId).collection("users").findOne({ _id: ask.askedBy });
  const groups = Map.groupBy(open, ({ stage, dueBy }) => `${stage} ${dueBy}`);
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const isNew = first.stage === "requested";
    await notifyUsers(tx, {
      companyId,
      to: group.map(({ userId }) => userId),
      kind: isNew ? "acknowledgement_requested" : "acknowledgement_due",
      sopId,
      actor: isNew ? (asker ?? { _id: ask.askedBy, name: ask.askedByName }) : null,
      detail: {
        version: sop.published?.version ?? null,
        dueAt: first.dueBy,
        overdue: Number(first.stage === "overdue"),
      },
      at,
    });
  }
}
