/** What is ticked: kept in this browser, with the version it was ticked in. */
import type { TextStep } from "../view/text-steps.ts";

export interface Run {
  version: number;
  /** The keys of ticked steps. */
  done: string[];
}

const placeOf = (sopId: string) => `sop-steps:${sopId}`;

/** The same words are the same step, in a later version too. The count tells equal steps apart. */
export function keysOf(steps: readonly TextStep[]): string[] {
  const counts = new Map<string, number>();
  return steps.map(({ item }) => {
    const count = (counts.get(item) ?? 0) + 1;
    counts.set(item, count);
    return `${count}:${hashOf(item)}`;
  });
}

/** FNV-1a: short, and the same in each browser. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

export function readRun(sopId: string): Run | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(sopId)) ?? "null");
    return isRun(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isRun(kept: unknown): kept is Run {
  if (typeof kept !== "object" || kept === null || !("version" in kept) || !("done" in kept)) return false;
  return (
    Number.isInteger(kept.version) && Array.isArray(kept.done) && kept.done.every((key) => typeof key === "string")
  );
}

/** Where storage is refused, ticks last as long as the page. */
export function keepRun(sopId: string, run: Run | null): void {
  try {
    if (run === null || run.done.length === 0) localStorage.removeItem(placeOf(sopId));
    else localStorage.setItem(placeOf(sopId), JSON.stringify(run));
  } catch {
    return;
  }
}
