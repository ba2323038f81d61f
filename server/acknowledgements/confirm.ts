/** Stores "I have read this version" as an immutable row, pinned to the published version by its hash. */
import { can } from "#core/permissions/can.ts";
import type { Role } from "#core/permissions/roles.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { transactionFor } from "../database/turns.ts";
import type { SopDocument, PublishedVersion } from "../database/documents.ts";
import { DuplicateKeyError } from "../database/port.ts";
import { actorOf } from "../http/identify.ts";
import type { Services } from "../http/services.ts";

import { loadVisibleSop } from "../sops/view/load.ts";
import { requiredSince, acknowledgementAskCollection, loadJoinDates, type Tx } from "./audience.ts";
import { refusals } from "./refusals.ts";

interface ConfirmedVersion {
  version: number;
  contentHash?: string | undefined;
}

/**
 * Stores the user's confirmation of the published version. A repeat changes nothing.
 * @throws AppError conflict unless the read version is the published one, and the user has to confirm it
 */
export async function confirmVersion(
  services: Pick<Services, "db" | "clock">,
  call: SignedInCall,
  sopId: string,
  read: ConfirmedVersion,
): Promise<SopDocument> {
  const { db, clock } = services;
  const { actor } = call.identity;
  try {
    return await transactionFor(db, actor.companyId, (tx) => storeConfirmation(tx, call, sopId, read, clock.now()));
  } catch (error) {
    // another server stored this user's confirmation first
    if (error instanceof DuplicateKeyError) return (await loadVisibleSop(services, actor, sopId)).sop;
    throw error;
  }
}

async function storeConfirmation(
  tx: Tx,
  call: SignedInCall,
  sopId: string,
  read: ConfirmedVersion,
  at: string,
): Promise<SopDocument> {
  const { actor, user } = call.identity;
  const { companyId, userId } = actor;
  const { sop } = await loadVisibleSop({ db: tx }, actor, sopId);
  const { version, contentHash } = assertReadVersionPublished(sop, read);
  const confirmations = tx.forCompany(companyId).collection("acknowledgements");
  if (await confirmations.findOne({ sopId, userId, version })) return sop;
  const ask = await acknowledgementAskCollection(tx, companyId).findOne({ sopId });
  const { joined } = await loadJoinDates(tx, companyId, { userId });
  if (!ask || requiredSince(ask, user, joined) === null) {
    throw new AppError("conflict", refusals.notAsked());
  }
  await confirmations.insertOne({
    _id: newId(),
    companyId,
    sopId,
    userId,
    userName: user.name,
    username: user.username,
    version,
    contentHash,
    at,
  });
  const watching = await findUsersWatchingConfirmations(tx, sop, at);
  await recordChange(
    tx,
    call,
    { companyId, at, hears: { resources: ["acknowledgements"], to: [...new Set([userId, ...watching])] } },
    { action: "sop.acknowledge", entityType: "sop", entityId: sopId, changes: { version, contentHash } },
  );
  return sop;
}

function assertReadVersionPublished(sop: SopDocument, { version, contentHash }: ConfirmedVersion): PublishedVersion {
  const { published } = sop;
  if (!sop.hasPublished || !published) throw new AppError("conflict", refusals.notPublished());
  if (published.version !== version || (contentHash ?? published.contentHash) !== published.contentHash) {
    throw new AppError("conflict", refusals.otherVersion({ version: published.version }), {
      version: published.version,
    });
  }
  return published;
}

const publishers: readonly Role[] = ["system_admin", "company_admin", "admin", "manager"];

/**
 * Returns ids of users who can see all confirmations of the SOP, and so get an event for a new one. Other readers get
 * no event, because hundreds can confirm at once.
 */
async function findUsersWatchingConfirmations(tx: Tx, sop: SopDocument, now: string): Promise<string[]> {
  const company = await tx.collection("companies").findOne({ _id: sop.companyId });
  if (!company) return [];
  const users = await tx
    .forCompany(sop.companyId)
    .collection("users")
    .find({ role: { $in: [...publishers] }, status: "active" });
  const watching = users.filter((user) => can(actorOf(user, company, now), "sop.publish", sop));
  return [...watching.map(({ _id }) => _id), ...(sop.ownerId === null ? [] : [sop.ownerId])];
}
