import type { Context } from "koa";
import type { Caller } from "../capacity/caller.ts";
import { isLoopback } from "../config.ts";
import type { Identity } from "./call.ts";
import { isInNetworks, networkPrefix } from "./network.ts";
import type { Services } from "./services.ts";

const newForMs = 7 * 24 * 3_600_000;

/**
 * Returns the user and the company whose slots a request takes, and the client's network if other users don't share
 * that address.
 */
export async function loadQueueCaller(
  ctx: Context,
  { actor: { companyId, userId } }: Pick<Identity, "actor">,
  { companies, clock, config }: Pick<Services, "companies" | "clock" | "config">,
): Promise<Caller> {
  if (!isOwnAddress(ctx, config)) return { companyId, userId };
  const company = await companies.get(companyId);
  const age = clock.millis() - Date.parse(company?.createdAt ?? clock.now());
  return { companyId, userId, network: networkPrefix(ctx.ip), isNew: config.registration === "open" && age < newForMs };
}

/**
 * Says whether the address is the client's own. It isn't behind a proxy that the settings don't name, because all users
 * share that proxy's address. Addresses in the operator's networks don't count either.
 */
function isOwnAddress(
  ctx: Context,
  { trustedProxies, trustedNetworks }: Pick<Services["config"], "trustedProxies" | "trustedNetworks">,
): boolean {
  if (trustedProxies === 0 && ctx.get("x-forwarded-for") !== "") return false;
  return !isLoopback(ctx.ip.replace(/^::ffff:/, "")) && !isInNetworks(ctx.ip, trustedNetworks);
}
