/** `/readyz` from the state of the parts. Damage and a full disk take no server out of service: people can still read. */
import type { ServerStatus } from "#core/status/schema.ts";
import type { Readiness } from "../http/health.ts";
import type { Jobs } from "../jobs/overdue.ts";

export function readinessOf(
  status: () => Promise<ServerStatus>,
  jobs: Pick<Jobs, "overdue">,
  ends: () => readonly string[],
): Readiness {
  return async () => {
    const { parts } = await status();
    const texts = (state: string) =>
      parts.filter((one) => one.state === state && one.part !== "jobs").map(({ text }) => text);
    return {
      problems: [...ends(), ...texts("problem")],
      // each late job has a sentence of its own
      warnings: [...jobs.overdue(), ...texts("warning")],
      parts: Object.fromEntries(parts.map(({ part, state }) => [part, state])),
    };
  };
}
