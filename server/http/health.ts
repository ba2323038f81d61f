import type { Context, Next } from "koa";

/** The state of this server for operators. Strangers can read it, so it has no details. */
export interface ReadyReport {
  /** Problems because of which this server can't serve requests. */
  problems: readonly string[];
  /** Problems that need an operator although this server can serve requests. */
  warnings: readonly string[];
  /** The state of each part of the server, by name. */
  parts: Readonly<Record<string, string>>;
}

export type Readiness = () => Promise<ReadyReport>;

/** The maximum milliseconds to wait for the database's answer. A slow database can still serve requests. */
const answerWithinMs = 3_000;

/** Says whether a check succeeds in time. A database or disk that hangs can't serve requests. */
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
 * Creates the middleware that serves `/healthz`, which says that the process answers, and `/readyz`, which says whether
 * the server should get traffic. Mount it before sessions, so that `/healthz` reads no stored data.
 */
export function createHealthMiddleware(readiness: Readiness) {
  return async (ctx: Context, next: Next) => {
    if (ctx.path === "/healthz") {
      ctx.body = { ok: true };
    } else if (ctx.path === "/readyz") {
      const { problems, warnings, parts } = await readiness();
      ctx.status = problems.length === 0 ? 200 : 503;
      // Envoy sends no new requests to a degraded server but keeps its connections. A failed check would close them
      if (problems.length > 0) ctx.set("X-Envoy-Degraded", "1");
      ctx.body = { ready: problems.length === 0, problems, ...(warnings.length > 0 && { warnings }), parts };
    } else {
      await next();
    }
  };
}
