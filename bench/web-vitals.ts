/** What the browser itself reports about a page: largest paint, shifts, and the time from an interaction to its paint. */
import type { Page } from "playwright-core";

interface Interaction {
  id: number;
  name: string;
  ms: number;
  target: string;
}

declare global {
  interface Window {
    vitals?: { lcp: number; shifts: { at: number; value: number; nodes: string }[]; events: Interaction[] };
  }
}

/** Runs in the page before any other script. */
export function observe(): void {
  const vitals: NonNullable<Window["vitals"]> = { lcp: 0, shifts: [], events: [] };
  window.vitals = vitals;
  const called = (node: Node | null | undefined) => {
    const element = node instanceof Element ? node : node?.parentElement;
    return element ? `${element.localName}.${element.getAttribute("class")?.slice(0, 40) ?? ""}` : "gone";
  };
  const on = (type: string, take: (entry: PerformanceEntry) => void, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  on("largest-contentful-paint", (entry) => (vitals.lcp = entry.startTime));
  on("layout-shift", (entry) => {
    const shift = entry as PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null }[];
    };
    if (shift.hadRecentInput) return;
    const nodes = shift.sources.map(({ node }) => called(node)).join(", ");
    vitals.shifts.push({ at: shift.startTime, value: shift.value, nodes });
  });
  on(
    "event",
    (entry) => {
      const event = entry as PerformanceEventTiming & { interactionId: number };
      if (event.interactionId === 0) return;
      vitals.events.push({
        id: event.interactionId,
        name: event.name,
        ms: event.duration,
        target: called(event.target),
      });
    },
    // the lowest threshold: faster events are not reported
    { durationThreshold: 16 },
  );
}

export const largestPaint = (page: Page): Promise<number> => page.evaluate(() => window.vitals?.lcp ?? 0);

export interface Shifts {
  value: number;
  /** The elements that moved most. */
  nodes: string;
}

/**
 * Cumulative layout shift as browsers define it: the worst group of shifts, less than a second apart, at most five
 * seconds long.
 */
export async function layoutShift(page: Page): Promise<Shifts> {
  const shifts = await page.evaluate(() => window.vitals?.shifts ?? []);
  let [from, last, sum, worst] = [-Infinity, -Infinity, 0, 0];
  for (const { at, value } of shifts) {
    if (at - last > 1000 || at - from > 5000) [from, sum] = [at, 0];
    last = at;
    sum += value;
    worst = Math.max(worst, sum);
  }
  const most = shifts.toSorted((a, b) => b.value - a.value)[0];
  return { value: worst, nodes: most?.nodes ?? "" };
}

/** The longest event of each interaction that took more than a frame, and the number of all interactions. */
export async function interactions(page: Page): Promise<{ count: number; slowest: Interaction[] }> {
  const { events, count } = await page.evaluate(() => ({
    events: window.vitals?.events ?? [],
    count: (performance as Performance & { interactionCount: number }).interactionCount,
  }));
  const longest = new Map<number, Interaction>();
  for (const event of events) {
    if (event.ms > (longest.get(event.id)?.ms ?? 0)) longest.set(event.id, event);
  }
  return { count, slowest: [...longest.values()].sort((a, b) => b.ms - a.ms) };
}
