/**
 * Counts every request against the rate limit before anything costly happens, including refused requests and unknown
 * paths. A signed-in user's request counts for the user and the company, any other request for its network address.
 */
import type { Context, Next } from "koa";
import type { Caller } from "../capacity/caller.ts";
import { serverLimits, requestRate } from "../capacity/resources.ts";
import type { IdentifiedUser, IdentifyRequest } from "./identify.ts";
import { networkPrefix } from "./network.ts";
import type { RequestRate } from "./request-rate.ts";
import { hashOf } from "./secrets.ts";

type IdentificationResult = { found: IdentifiedUser | null } | { error: unknown };

const safe = new Set(["GET", "HEAD"]);

/** A signed-in user, and the number of users of the company. */
interface KnownCaller {
  caller: Caller;
  companyUsers: number;
}

/**
 * Creates the middleware that identifies the user of a request and counts the request.
 * @param usersOf returns the number of users of a company
 */
export function createCountingMiddleware(
  rate: RequestRate,
  { identify, credential }: IdentifyRequest,
  usersOf: (companyId: string) => Promise<number>,
) {
  /**
   * The users of recently used sessions and tokens, by hash. Their requests are counted before the lookup, and not for
   * the address. So other clients of the same address can't block them.
   */
  const inUse = new Map<string, KnownCaller>();
  const rememberCaller = (key: string, known: KnownCaller) => {
    inUse.delete(key);
    inUse.set(key, known);
    if (inUse.size > serverLimits.credentials.atMost) inUse.delete(inUse.keys().next().value as string);
  };
  return async (ctx: Context, next: Next) => {
    const cost = safe.has(ctx.method) ? requestRate.read : requestRate.write;
    const address = networkPrefix(ctx.ip);
    const shown = credential(ctx);
    const key = shown === null ? "" : hashOf(shown);
    const known = inUse.get(key);
    await (known ? rate.take(known.caller, known.companyUsers, cost) : rate.takeAddress(address, cost));
    const identification = await identify(ctx).then(
      (found): IdentificationResult => ({ found }),
      (error: unknown): IdentificationResult => ({ error }),
    );
    ctx.state["identification"] = identification;
    if ("found" in identification && identification.found) {
      const { companyId, userId } = identification.found.identity.actor;
      const caller = { companyId, userId };
      const companyUsers = await usersOf(companyId);
      rememberCaller(key, { caller, companyUsers });
      if (!known) {
        await rate.giveBack(address, cost);
        await rate.take(caller, companyUsers, cost);
      }
    } else if (known) {
      inUse.delete(key);
      await rate.takeAddress(address, cost);
    }
    await next();
  };
}

/** Returns the user that was found when the request was counted. @throws the error of that lookup */
export function identityFoundForCount(ctx: Context): IdentifiedUser | null {
  const identification = ctx.state["identification"] as IdentificationResult;
  if ("error" in identification) throw identification.error;
  return identification.found;
}
