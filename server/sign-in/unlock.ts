/** Ends the waits after wrong passwords, for the operator: in the task itself, or through a running server. */
import type { Context, Next } from "koa";
import { z } from "zod";
import type { Clock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { recordAudits } from "../audit/record.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { findCompaniesSignedInFrom, unlockSignIn } from "../http/sign-in-limits.ts";
import type { Keyring } from "../keys/keyring.ts";
import { isValidOperatorProof } from "../status/operator-proof.ts";
import { recordAccountEvent } from "./record.ts";
import { refusals } from "./refusals.ts";

export const unlockPath = "/operator/unlock";

/** The counters of failed sign-ins to remove: of one user, of the users of one network, or of all users. */
export const UnlockTarget = z.union([
  z.strictObject({ username: z.string() }),
  z.strictObject({ address: z.ipv4().or(z.ipv6()) }),
  z.strictObject({ everybody: z.literal("1") }),
]);

interface UnlockServices {
  db: Database<Collections>;
  clock: Clock;
}

const origin = { requestId: "operator", ipAddress: null, userAgent: "sop admin unlock" };

/** The maximum number of rows in a transaction. */
const rowsAtOnce = 500;

/**
 * Records the unlock, then removes the counters.
 * @returns the number of removed counters
 * @throws AppError not_found
 */
export async function unlockAndRecord(
  services: UnlockServices,
  locked: z.output<typeof UnlockTarget>,
): Promise<number> {
  // the record is written first, so that every unlock has an audit entry
  await recordUnlock(services, locked);
  return unlockSignIn(services.db, "everybody" in locked ? {} : locked);
}

async function recordUnlock({ db, clock }: UnlockServices, locked: z.output<typeof UnlockTarget>): Promise<void> {
  const at = clock.now();
  if ("username" in locked) {
    const user = await db.collection("users").findOne(locked);
    if (!user) throw new AppError("not_found", refusals.unknownUser({ username: locked.username }));
    return db.transaction((tx) =>
      recordAccountEvent(tx, { user, action: "account.unlocked", at, origin, byOperator: true }),
    );
  }
  const companies = await findCompaniesToInform(db, locked);
  const changes = "address" in locked ? locked : { users: "all" };
  const rows = companies.map((companyId) => ({
    companyId,
    userId: null,
    userName: null,
    action: "company.unlocked",
    entityType: "company",
    entityId: companyId,
    changes,
    at,
    origin,
  }));
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await db.transaction((tx) => recordAudits(tx, rows.slice(from, from + rowsAtOnce)));
}

/**
 * Finds the companies whose log records the unlock. For an address, they are those whose users signed in from it, and
 * those of system administrators; otherwise all companies.
 */
async function findCompaniesToInform(
  db: Database<Collections>,
  locked: Exclude<z.output<typeof UnlockTarget>, { username: string }>,
): Promise<string[]> {
  const kept = await db.collection("companies").find({ status: { $ne: "deleted" } }, { projection: { _id: 1 } });
  const ids = kept.map(({ _id }) => _id);
  if (!("address" in locked)) return ids;
  const operators = await db
    .collection("users")
    .find({ role: "system_admin", status: "active" }, { projection: { companyId: 1 } });
  const chosen = new Set(operators.map(({ companyId }) => companyId));
  for (let from = 0; from < ids.length; from += rowsAtOnce)
    for (const id of await findCompaniesSignedInFrom(db, ids.slice(from, from + rowsAtOnce), locked.address))
      chosen.add(id);
  return [...chosen];
}

/**
 * Creates the middleware for calls of tasks that have the server's keys. Other callers get the answer for an unknown
 * path.
 */
export function createUnlockEndpoint(services: UnlockServices, keys: Pick<Keyring, "statusProofs">) {
  return async (ctx: Context, next: Next) => {
    const shown = /^Bearer (\S+)$/.exec(ctx.get("authorization"))?.[1] ?? "";
    if (ctx.path !== unlockPath || ctx.method !== "POST" || !isValidOperatorProof(keys, "unlock", shown)) return next();
    const locked = UnlockTarget.safeParse({ ...ctx.query });
    if (!locked.success) throw new AppError("invalid_input");
    ctx.body = { unlocked: await unlockAndRecord(services, locked.data) };
  };
}
