/** The confirmations as CSV: one line for each confirmation, and for each reader who still has to confirm. Audited. */
import type { Context } from "koa";
import type { AcknowledgementPerson } from "#core/acknowledgements/schema.ts";
import { csvLine, type Cell } from "#core/csv/write.ts";
import { numberLabel } from "#core/repository/names.ts";
import { recordRead } from "../audit/record.ts";
import type { AcknowledgementDocument, SopDocument, UserDocument } from "../database/documents.ts";
import type { Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { loadConfirmations, type Confirmations } from "./confirmations.ts";

const columns = ["person", "userId", "state", "dueBy", "version", "confirmedAt", "contentHash"];

export async function exportConfirmations(
  { db, clock, postponed }: Pick<Services, "db" | "clock" | "postponed">,
  ctx: Context,
  sop: SopDocument,
  by: { user: UserDocument; origin: Origin },
): Promise<void> {
  const at = clock.now();
  const confirmations = await loadConfirmations(db, sop, at);
  await recordRead(
    { db, postponed },
    {
      companyId: sop.companyId,
      userId: by.user._id,
      userName: by.user.name,
      action: "sop.acknowledgement_export",
      entityType: "sop",
      entityId: sop._id,
      changes: { format: "csv", version: sop.published?.version ?? null },
      at,
      origin: by.origin,
    },
  );
  ctx.attachment(`${numberLabel(sop.number)}-acknowledgements-${at.slice(0, 10)}.csv`);
  ctx.type = "text/csv; charset=utf-8";
  ctx.status = 200;
  ctx.body = [columns, ...linesOf(confirmations)].map(csvLine).join("");
}

/** `earlier`: a confirmation that a newer one, or a major change, has overtaken. */
function linesOf({ people, confirmations }: Confirmations): Cell[][] {
  const byUser = Map.groupBy(confirmations, ({ userId }) => userId);
  return people.flatMap((person) => {
    const { user, state, dueBy } = person;
    const own = byUser.get(user.id) ?? [];
    const owes = state === "open" || state === "overdue";
    return [
      ...(owes ? [[user.name, user.id, state, dueBy, null, null, null]] : []),
      ...own.map((one, index) => confirmationLine(person, one, owes || index > 0 ? "earlier" : state)),
    ];
  });
}

function confirmationLine(person: AcknowledgementPerson, one: AcknowledgementDocument, state: string): Cell[] {
  return [one.userName, person.user.id, state, null, one.version, one.at, one.contentHash];
}
