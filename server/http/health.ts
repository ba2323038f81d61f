import type { Context, Next } from "koa";

/** Written for operators, without details for strangers. */
export interface ReadyReport {
  /** Problems that stop this server; empty if there are none. */
  problems: readonly string[];
  /** Problems that need an operator although this server can serve. */
  warnings: readonly string[];
  /** The state of each part. */
  parts: Readonly<Record<string, string>>;
}

export type Readiness = () => Promise<ReadyReport>;

/** The longest wait for the database's answer. A slow database still serves. */
const answerWithinMs = 3_000;

/** @returns false when the check fails or takes too long: a database or disk that hangs can't serve */
export async function respondsInTime(ping: Promise<unknown>, withinMs = answerWithinMs): Promise<boolean> {
  const late = AbortSignal.timeout(withinMs);
  return Promise.race([
    ping.then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => late.addEventListener("abort", () => resolve(false), { once: true })),
  ]);
}

/**
 * `/healthz` says that the process answers, and touches nothing. `/readyz` says whether it should get traffic. Mounted
 * before sessions, so that it reads no store.
 */
export function serveHealth(readiness: Readiness) {
  return async (ctx: Context, next: Next) => {
    if (ctx.path === "/healthz") {
      ctx.body = { ok: true };
    } else if (ctx.path === "/readyz") {
      const { problems, warnings, parts } = await readiness();
      ctx.status = problems.length === 0 ? 200 : 503;
      // Envoy sends no new requests to a degraded server but keeps its connections. A failed check would cut them
      if (problems.length > 0) ctx.set("X-Envoy-Degraded", "1");
      ctx.body = { ready: problems.length === 0, problems, ...(warnings.length > 0 && { warnings }), parts };
    } else {
      await next();
    }
  };
}
