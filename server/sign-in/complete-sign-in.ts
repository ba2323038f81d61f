/** Completes a sign-in by any method. */
import type { Context } from "koa";
import type { ProofMethod } from "#core/sign-in/proofs.ts";
import type { UserDocument } from "../database/documents.ts";
import { createKnownDevices } from "../http/known-devices.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { startSession } from "../http/session.ts";
import { presentMe } from "./present.ts";

/**
 * Starts the session of a user who has proven their identity. Must be the last step of a handler.
 * @returns the handler's answer
 */
export async function completeSignIn(
  services: Services,
  limiters: Limiters,
  { ctx, user, method }: { ctx: Context; user: UserDocument; method: ProofMethod },
) {
  const { db, clock, config } = services;
  const at = clock.now();
  const answer = { user: await presentMe(services, { ...user, lastLoginAt: at }) };
  await db.collection("users").updateOne({ _id: user._id }, { $set: { lastLoginAt: at } });
  await createKnownDevices(db, clock, config.secure).remember(ctx, user._id);
  await limiters.signIn.rememberPlace(user.companyId, ctx.ip);
  await startSession(ctx, user, [{ method, at }]);
  return answer;
}
