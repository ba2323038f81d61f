/** One SOP for one user. */
import { AppError } from "#core/errors.ts";
import { isId } from "#core/ids.ts";
import { numberKey, readNumber } from "#core/sops/numbers.ts";
import type { SopAction } from "#core/permissions/actions.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { can, visibleVersion } from "#core/permissions/can.ts";
import type { Collections, SopDocument } from "../../database/documents.ts";
import type { Transaction } from "../../database/port.ts";

/** The database, or the transaction that needs the SOP as it is in it. */
interface Source {
  db: Pick<Transaction<Collections>, "forCompany">;
}

/**
 * @param id or number, `SOP-0042`
 * @throws AppError not_found if the actor can't read it, exactly as for an unknown id
 */
export async function loadVisible({ db }: Source, actor: Actor, id: string) {
  const number = isId(id) ? null : readNumber(id);
  const filter = number === null ? { _id: id } : { labelKey: numberKey(number) };
  const sop = await db.forCompany(actor.companyId).collection("sops").findOne(filter);
  const view = sop ? visibleVersion(actor, sop) : "nothing";
  if (!sop || view === "nothing") throw new AppError("not_found");
  return { sop, view };
}

/** @throws AppError not_found, or forbidden for an action that the actor can't do on a readable SOP */
export async function loadFor({ db }: Source, actor: Actor, id: string, action: SopAction): Promise<SopDocument> {
  const { sop } = await loadVisible({ db }, actor, id);
  if (!can(actor, action, sop)) throw new AppError("forbidden");
  return sop;
}
