/** Measures the time of a change from one browser to another. */
import { recordFigure } from "./proof.ts";

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Records times that `npm run bench -- proof:live` prints; tests never assert them.
 * @param times milliseconds, one for each round
 */
export function recordTimes(name: string, times: readonly number[], goal: string): void {
  for (const [label, share] of [
    ["p50", 0.5],
    ["p95", 0.95],
  ] as const)
    recordFigure({ name: `${name}.${label}`, value: Math.round(quantile(times, share)), unit: "ms", goal });
}
