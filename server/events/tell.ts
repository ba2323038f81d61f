import type { Resource } from "#core/contract/route.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import type { Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

/** In the transaction of a change that is about no SOP, inside the company's turn (`transactionFor`). */
export async function tellBrowsers(
  tx: Transaction<Collections>,
  companyId: string,
  resources: readonly Resource[],
  at: string,
  /** These users alone; everybody of the company unless given. */
  to?: readonly string[],
): Promise<void> {
  const counters = await tx
    .collection("counters")
    .findOneAndUpdate({ _id: companyId }, { $inc: { eventSeq: 1 } }, { returnDocument: "after" });
  if (!counters) throw new AppError("not_found");
  await tx
    .forCompany(companyId)
    .collection("events")
    .insertOne({
      _id: newId(),
      companyId,
      seq: counters.eventSeq,
      resources: [...resources],
      sopId: null,
      ...(to ? { to: [...to] } : {}),
      at,
    });
}
