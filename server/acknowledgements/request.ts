/**
 * Changes the audience and the due days of a read confirmation. Users who can publish the SOP, or own and edit it, can
 * do that.
 */
import { everyone, mayRequestAcknowledgements } from "#core/acknowledgements/rules.ts";
import type { AcknowledgementAsk } from "#core/acknowledgements/schema.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { transactionFor } from "../database/turns.ts";
import type { AcknowledgementAskDocument, SopDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { loadVisibleSop } from "../sops/view/load.ts";
import { acknowledgementAskCollection, type Tx } from "./audience.ts";
import { refusals } from "./refusals.ts";

/**
 * Stores the audience and the due days of an SOP's read confirmation.
 * @returns the SOP
 * @throws AppError not_found, forbidden, invalid_input for unknown people and teams
 */
export function requestConfirmations(
  { db, clock }: Pick<Services, "db" | "clock">,
  call: SignedInCall,
  sopId: string,
  requested: AcknowledgementAsk,
): Promise<SopDocument> {
  const { actor, user } = call.identity;
  const { companyId } = actor;
  return transactionFor(db, companyId, async (tx) => {
    const at = clock.now();
    const { sop } = await loadVisibleSop({ db: tx }, actor, sopId);
    if (!mayRequestAcknowledgements(actor, sop)) throw new AppError("forbidden");
    const before = await acknowledgementAskCollection(tx, companyId).findOne({ sopId });
    const audience = await resolveAudience(tx, companyId, requested, before);
    const { dueDays } = requested;
    if (isSameAcknowledgementAsk(before, audience, dueDays)) return sop;
    const ask: AcknowledgementAskDocument | null =
      audience.length === 0
        ? null
        : {
            _id: before?._id ?? newId(),
            companyId,
            sopId,
            audience,
            since: Object.fromEntries(audience.map((key) => [key, before?.since[key] ?? at])),
            dueDays,
            askedBy: user._id,
            askedByName: user.name,
            createdAt: before?.createdAt ?? at,
          };
    await storeAcknowledgementAsk(tx, before, ask);
    await recordChange(
      tx,
      call,
      { companyId, at, hears: { resources: ["acknowledgements"], about: [{ id: sopId, readersSee: true }] } },
      {
        action: ask ? "sop.acknowledgement_ask" : "sop.acknowledgement_end",
        entityType: "sop",
        entityId: sopId,
        changes: { from: auditFields(before), to: auditFields(ask) },
      },
    );
    return sop;
  });
}

async function storeAcknowledgementAsk(
  tx: Tx,
  before: AcknowledgementAskDocument | null,
  ask: AcknowledgementAskDocument | null,
) {
  const companyId = (ask ?? before)?.companyId ?? "";
  const asks = acknowledgementAskCollection(tx, companyId);
  if (!ask) {
    await asks.deleteOne({ _id: before?._id ?? "" });
    return;
  }
  if (!before) return asks.insertOne(ask);
  const { _id, companyId: _companyId, ...fields } = ask;
  await asks.updateOne({ _id }, { $set: fields });
}

const auditFields = (ask: AcknowledgementAskDocument | null) => ask && { audience: ask.audience, dueDays: ask.dueDays };

function isSameAcknowledgementAsk(
  before: AcknowledgementAskDocument | null,
  audience: readonly string[],
  dueDays: number | null,
) {
  if (!before) return audience.length === 0;
  return before.dueDays === dueDays && [...before.audience].sort().join() === [...audience].sort().join();
}

/**
 * Returns the audience to store. Members of the stored audience can stay, even if they left the company; new members
 * must be active.
 * @throws AppError invalid_input for unknown people and teams
 */
async function resolveAudience(
  tx: Tx,
  companyId: string,
  { everyone: all, userIds, teamIds }: AcknowledgementAsk,
  before: AcknowledgementAskDocument | null,
): Promise<string[]> {
  if (all) return [everyone];
  const company = tx.forCompany(companyId);
  const users = await company.collection("users").find({ _id: { $in: userIds }, status: "active" });
  const teams = await company.collection("teams").find({ _id: { $in: teamIds } });
  const known = new Set([
    ...(before?.audience ?? []),
    ...users.map(({ _id }) => `user:${_id}`),
    ...teams.map(({ _id }) => `team:${_id}`),
  ]);
  const details = {
    ...(userIds.some((id) => !known.has(`user:${id}`)) ? { userIds: refusals.inactiveUser() } : {}),
    ...(teamIds.some((id) => !known.has(`team:${id}`)) ? { teamIds: refusals.unknownTeam() } : {}),
  };
  const [message] = Object.values(details);
  if (message !== undefined) throw new AppError("invalid_input", message, details);
  return [...new Set([...userIds.map((id) => `user:${id}`), ...teamIds.map((id) => `team:${id}`)])];
}
