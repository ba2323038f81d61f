import type { Context } from "koa";
import type { Caller } from "../capacity/caller.ts";
import { isLoopback } from "../config.ts";
import type { Identity } from "./call.ts";
import { isInNetworks, networkPrefix } from "./network.ts";
import type { Services } from "./services.ts";

const newForMs = 7 * 24 * 3_600_000;

/**
 * Loads the caller of a request: the user and the company whose slots the request takes, and the client's network if
 * other users don't share its address.
 */
export async function loadQueueCaller(
  ctx: Context,
  { actor: { companyId, userId } }: Pick<Identity, "actor">,
  { companies, clock, config }: Pick<Services, "companies" | "clock" | "config">,
): Promise<Caller> {
  if (!isUnsharedAddress(ctx, config)) return { companyId, userId };
  const company = await companies.get(companyId);
  const age = clock.millis() - Date.parse(company?.createdAt ?? clock.now());
  return { companyId, userId, network: networkPrefix(ctx.ip), isNew: config.registration === "open" && age < newForMs };
}

/**
 * Says whether other users don't share the client's address. Users behind a proxy that the settings don't name share
 * the proxy's address. Users on this machine or in the operator's networks can share one too.
 */
function isUnsharedAddress(
  ctx: Context,
  { trustedProxies, trustedNetworks }: Pick<Services["config"], "trustedProxies" | "trustedNetworks">,
): boolean {
  if (trustedProxies === 0 && ctx.get("x-forwarded-for") !== "") return false;
  return !isLoopback(ctx.ip.replace(/^::ffff:/, "")) && !isInNetworks(ctx.ip, trustedNetworks);
}
