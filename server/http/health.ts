import type { Context, Next } from "koa";

/** Written for operators, without details for strangers. */
export interface ReadyReport {
  /** Problems that stop this server, or none. */
  problems: readonly string[];
  /** Problems that need an operator although this server can serve. */
  warnings: readonly string[];
  /** The state of each part. */
  parts: Readonly<Record<string, string>>;
}

export type Readiness = () => Promise<ReadyReport>;

/** How long the database may take to say that it is there. One that is slow still serves. */
const answerWithinMs = 3_000;

/** @returns false when it fails, or takes too long: a database or disk that hangs is none */
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

/** `/healthz`: the process answers, touches nothing. `/readyz`: it should get traffic. Before sessions, so that no store is asked. */
export function health(readiness: Readiness) {
  return async (ctx: Context, next: Next) => {
    if (ctx.path === "/healthz") {
      ctx.body = { ok: true };
    } else if (ctx.path === "/readyz") {
      const { problems, warnings, parts } = await readiness();
      ctx.status = problems.length === 0 ? 200 : 503;
      // Envoy sends a degraded server no new requests, and cuts none. One that fails its check is cut
      if (problems.length > 0) ctx.set("X-Envoy-Degraded", "1");
      ctx.body = { ready: problems.length === 0, problems, ...(warnings.length > 0 && { warnings }), parts };
    } else {
      await next();
    }
  };
}
