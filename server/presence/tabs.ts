/** Stores open edit screens until they expire. Browsers of users who see the draft get events. */
import { presenceLifetimeMs, maxPresencesPerUser, type PresenceState } from "#core/presence/rules.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, PresenceDocument, SopDocument } from "../database/documents.ts";
import type { Transaction, Update } from "../database/port.ts";
import { storeEvent } from "../events/send-event.ts";
import type { Services } from "../http/services.ts";

type TabServices = Pick<Services, "db" | "clock">;
type Tx = Transaction<Collections>;
/** An edit screen: the tab of a browser, with its user, session and SOP. */
export type Tab = Pick<PresenceDocument, "_id" | "companyId" | "sopId" | "userId" | "tab" | "sessionId">;

export function tabOf(sop: SopDocument, userId: string, tab: string, sessionId: string): Tab {
  const { companyId, _id: sopId } = sop;
  return { _id: `${sopId}:${userId}:${tab}`, companyId, sopId, userId, tab, sessionId };
}

/** Stores or renews a tab. Only a new tab sends an event. Does nothing if the user has too many open tabs. */
export async function storeTab(
  { db, clock }: TabServices,
  { _id, companyId, ...tab }: Tab,
  state: Exclude<PresenceState, "gone">,
): Promise<void> {
  const at = clock.now();
  const expiresAt = new Date(clock.millis() + presenceLifetimeMs[state]).toISOString();
  const renewed = await presencesCollection(db, companyId).updateOne(
    { _id, expiresAt: { $gt: at } },
    { $set: { sessionId: tab.sessionId, expiresAt } },
  );
  if (renewed.matchedCount > 0) return;
  await transactionFor(db, companyId, async (tx) => {
    const presences = presencesCollection(tx, companyId);
    const open = await presences.countDocuments({ userId: tab.userId }, { limit: maxPresencesPerUser });
    if (open >= maxPresencesPerUser) return;
    const stored: Update<PresenceDocument> = { $set: { ...tab, expiresAt }, $setOnInsert: { since: at } };
    await presences.updateOne({ _id }, stored, { upsert: true });
    await sendTabEvent(tx, { _id, companyId, ...tab }, at);
  });
}

/**
 * Removes a tab.
 * @param asKnown if set, the tab is removed only if it still has this expiry, and so wasn't renewed
 */
export async function removeTab(
  { db, clock }: TabServices,
  tab: Tab,
  asKnown?: Pick<PresenceDocument, "expiresAt">,
): Promise<void> {
  await transactionFor(db, tab.companyId, async (tx) => {
    const ended = await presencesCollection(tx, tab.companyId).deleteOne({ _id: tab._id, ...asKnown });
    if (ended > 0) await sendTabEvent(tx, tab, clock.now());
  });
}

/**
 * Sends an event to all users who see the draft. If the user of the tab has another tab open on the SOP, only this user
 * gets the event.
 */
async function sendTabEvent(tx: Tx, { _id, companyId, sopId, userId }: Tab, at: string): Promise<void> {
  const other = await presencesCollection(tx, companyId).findOne({
    sopId,
    userId,
    _id: { $ne: _id },
    expiresAt: { $gt: at },
  });
  await storeEvent(tx, companyId, {
    resources: ["presence"],
    at,
    ...(other ? { to: [userId] } : { about: [{ id: sopId, readersSee: false }] }),
  });
}

function presencesCollection(store: Tx, companyId: string) {
  return store.forCompany(companyId).collection("presences");
}
