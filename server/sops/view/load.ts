/** Loads an SOP for a user, with access checks. */
import { AppError } from "#core/errors.ts";
import { isId } from "#core/ids.ts";
import { isBareNumber, readPossibleNumbers, unclearNumberMessage } from "#core/numbers/numbers.ts";
import type { SopAction } from "#core/permissions/actions.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { can, visibleVersion } from "#core/permissions/can.ts";
import type { Collections, SopDocument } from "../../database/documents.ts";
import type { Transaction } from "../../database/port.ts";
import { loadNumberStarts } from "../edit/numbers.ts";

/** The database, or the transaction that reads the SOP. */
interface SopStore {
  db: Pick<Transaction<Collections>, "forCompany" | "collection">;
}

/**
 * Loads an SOP that the actor can read.
 * @param id the id, or the number in any spelling
 * @returns the SOP, and the version that the actor sees
 * @throws AppError not_found if the actor can't read the SOP, exactly as for an unknown id; AppError conflict for a
 * spelling that can mean several SOPs; DamagedDocumentError if a damaged SOP can have the number
 */
export async function loadVisibleSop({ db }: SopStore, actor: Actor, id: string) {
  const sops = db.forCompany(actor.companyId).collection("sops");
  const starts = isBareNumber(id) ? await loadNumberStarts(db, actor.companyId) : [];
  const { own, keys } = isId(id) ? { own: null, keys: [] } : readPossibleNumbers(id, starts);
  const exact = await sops.findOne(own === null ? { _id: id } : { labelKey: own });
  const seen = exact === null ? "nothing" : visibleVersion(actor, exact);
  if (exact !== null && seen !== "nothing") return { sop: exact, view: seen };
  const spelled = keys.length === 0 ? [] : await sops.find({ labelKey: { $in: keys } });
  const [sop, ...others] = spelled.filter((one) => visibleVersion(actor, one) !== "nothing");
  const view = sop ? visibleVersion(actor, sop) : "nothing";
  // a query for one document fails at a damaged one, which could be this SOP
  if (spelled.length === 0 && keys.length > 0) await sops.findOne({ labelKey: { $in: keys } });
  if (!sop || view === "nothing") throw new AppError("not_found");
  if (others.length > 0) throw new AppError("conflict", unclearNumberMessage(id, [sop, ...others]));
  return { sop, view };
}

/**
 * Loads an SOP for an action.
 * @throws AppError not_found, or forbidden for an action that the actor can't do on a readable SOP
 */
export async function loadSopForAction(
  { db }: SopStore,
  actor: Actor,
  id: string,
  action: SopAction,
): Promise<SopDocument> {
  const { sop } = await loadVisibleSop({ db }, actor, id);
  if (!can(actor, action, sop)) throw new AppError("forbidden");
  return sop;
}
