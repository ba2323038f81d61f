/**
 * Answers `/readyz` from the state of the parts. Damage and a full disk don't take a server out of service, because
 * people can still read.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { ServerStatus } from "#core/status/schema.ts";
import type { Readiness } from "../http/health.ts";
import type { Jobs } from "../jobs/overdue.ts";

/**
 * The time limits of `/readyz` in milliseconds. A load balancer removes a server that doesn't answer in 2 seconds, but
 * a slow database is slow for all servers at once. So after `waitMs`, a server answers with its last state, unless that
 * is older than `keptMs`.
 */
const patience = { waitMs: 1_000, keptMs: 30_000 };

function createStatusReader(status: () => Promise<ServerStatus>, { waitMs, keptMs }: typeof patience) {
  let last: { seen: ServerStatus; at: number } | null = null;
  let asking: Promise<ServerStatus> | null = null;
  const askStatus = async () => {
    try {
      const seen = await status();
      last = { seen, at: performance.now() };
      return seen;
    } finally {
      asking = null;
    }
  };
  return () => {
    asking ??= askStatus();
    if (last === null || performance.now() - last.at > keptMs) return asking;
    return Promise.race([asking, wait(waitMs, last.seen, { ref: false })]);
  };
}

export function createReadiness(
  status: () => Promise<ServerStatus>,
  jobs: Pick<Jobs, "overdue">,
  ends: () => readonly string[],
  given = patience,
): Readiness {
  const latest = createStatusReader(status, given);
  return async () => {
    const { parts } = await latest();
    const textsInState = (state: string) =>
      parts.filter((one) => one.state === state && one.part !== "jobs").map(({ text }) => text);
    return {
      problems: [...ends(), ...textsInState("problem")],
      // each late job has its own sentence, so the part `jobs` is left out
      warnings: [...jobs.overdue(), ...textsInState("warning")],
      parts: Object.fromEntries(parts.map(({ part, state }) => [part, state])),
    };
  };
}
