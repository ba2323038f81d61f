/** Edit screens come and go: stored until their word ends, and told to the browsers of those who see the draft. */
import { presenceHoldsMs, presencesPerUser, type PresenceState } from "#core/presence/rules.ts";
import { headListeners } from "../comments/people.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, PresenceDocument, SopDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { tellOf } from "../events/tell.ts";
import type { Services } from "../http/services.ts";

type Needs = Pick<Services, "db" | "clock">;
type Tx = Transaction<Collections>;
/** One edit screen: whose, of which SOP. */
export type Tab = Pick<PresenceDocument, "_id" | "companyId" | "sopId" | "userId" | "tab" | "sessionId">;

export function tabOf(sop: SopDocument, userId: string, tab: string, sessionId: string): Tab {
  const { companyId, _id: sopId } = sop;
  return { _id: `${sopId}:${userId}:${tab}`, companyId, sopId, userId, tab, sessionId };
}

/** Opened, or still there; who was told of it is told no second time. */
export async function keepTab(
  { db, clock }: Needs,
  { _id, companyId, ...tab }: Tab,
  state: Exclude<PresenceState, "gone">,
): Promise<void> {
  const at = clock.now();
  const expiresAt = new Date(clock.millis() + presenceHoldsMs[state]).toISOString();
  const renewed = await presencesOf(db, companyId).updateOne(
    { _id, expiresAt: { $gt: at } },
    { $set: { sessionId: tab.sessionId, expiresAt } },
  );
  if (renewed.matchedCount > 0) return;
  await transactionFor(db, companyId, async (tx) => {
    const presences = presencesOf(tx, companyId);
    const open = await presences.countDocuments({ userId: tab.userId }, { limit: presencesPerUser });
    if (open >= presencesPerUser) return;
    const stored = { $set: { ...tab, expiresAt }, $setOnInsert: { since: at } };
    await presences.updateOne({ _id }, stored, { upsert: true });
    await tellOfTab(tx, { _id, companyId, ...tab }, at);
  });
}

/** @param asKnown leaves alone what was renewed since */
export async function endTab(
  { db, clock }: Needs,
  tab: Tab,
  asKnown?: Pick<PresenceDocument, "expiresAt">,
): Promise<void> {
  await transactionFor(db, tab.companyId, async (tx) => {
    const ended = await presencesOf(tx, tab.companyId).deleteOne({ _id: tab._id, ...asKnown });
    if (ended > 0) await tellOfTab(tx, tab, clock.now());
  });
}

/** Nothing changes for others while the same person has another tab: that one's owner alone is told. */
async function tellOfTab(tx: Tx, { _id, companyId, sopId, userId }: Tab, at: string): Promise<void> {
  const sop = await tx.forCompany(companyId).collection("sops").findOne({ _id: sopId });
  if (!sop) return;
  const other = await presencesOf(tx, companyId).findOne({ sopId, userId, _id: { $ne: _id }, expiresAt: { $gt: at } });
  await tellOf(tx, companyId, {
    resources: ["presence"],
    sopId: sop.restricted ? null : sopId,
    at,
    ...(other ? { to: [userId] } : await headListeners(tx, sop, { audience: "head", version: sop.version }, at)),
  });
}

function presencesOf(store: Tx, companyId: string) {
  return store.forCompany(companyId).collection("presences");
}
