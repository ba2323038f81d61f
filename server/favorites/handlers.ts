import { transactionFor } from "../database/turns.ts";
import { DuplicateKeyError } from "../database/port.ts";
import { recordChange } from "../effects/record.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { loadVisibleSop } from "../sops/view/load.ts";
import { sopUseId } from "./sop-use-id.ts";

export function favoriteHandlers(services: Services): Pick<Handlers<"sops">, "favorite" | "unfavorite"> {
  const createFavoriteHandler = (favorite: boolean) => async (call: SignedInCall & { params: { id: string } }) => {
    const { sop } = await loadVisibleSop(services, call.identity.actor, call.params.id);
    await setFavorite(services, call, sop._id, favorite).catch((error: unknown) => {
      // another server has just created the user's record for this SOP, so update that record
      if (error instanceof DuplicateKeyError) return setFavorite(services, call, sop._id, favorite);
      throw error;
    });
    return { favorite };
  };
  return { favorite: createFavoriteHandler(true), unfavorite: createFavoriteHandler(false) };
}

/**
 * Marks or unmarks an SOP as a favorite. A repeat changes nothing and sends no event. Only the user's own browsers get
 * the event.
 */
async function setFavorite(
  { db, clock }: Services,
  call: SignedInCall,
  sopId: string,
  favorite: boolean,
): Promise<void> {
  const { companyId, userId } = call.identity.actor;
  const _id = sopUseId(userId, sopId);
  const at = clock.now();
  await transactionFor(db, companyId, async (tx) => {
    const sopUses = tx.forCompany(companyId).collection("sop_uses");
    const before = (await sopUses.findOne({ _id }))?.favorite ?? false;
    if (before === favorite) return;
    await sopUses.updateOne({ _id }, { $set: { favorite }, $setOnInsert: { userId, sopId } }, { upsert: true });
    await recordChange(
      tx,
      call,
      { companyId, at, hears: { resources: ["sops"], to: [userId] } },
      {
        action: favorite ? "sop.favorite" : "sop.unfavorite",
        entityType: "sop",
        entityId: sopId,
        changes: { favorite: { from: before, to: favorite } },
      },
    );
  });
}
