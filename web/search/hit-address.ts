import type { SearchHit } from "#core/search/schema.ts";

const textAtMost = 80;

/**
 * Returns the address of a hit: that of its step, or of the SOP if no step matches. An example is
 * `/sop/…?step=7&at=Tighten the wingnut&words=wingnut#user-content-step.1p07x51p541`.
 */
export function hitAddressOf({ sop, step }: Pick<SearchHit, "step"> & { sop: { id: string } }): string {
  const path = `/sop/${sop.id}`;
  if (!step) return path;
  const params = new URLSearchParams();
  if (step.number !== null) params.set("step", step.number);
  // If the step's id has changed, its number and text still find it.
  if (step.text !== "" && step.text !== step.heading) params.set("at", step.text.slice(0, textAtMost));
  // A step can be longer than the screen, so the address also names the matching words.
  if (step.words !== undefined) params.set("words", step.words);
  const query = params.size === 0 ? "" : `?${params}`;
  return path + query + (step.anchor === null ? "" : `#${encodeURIComponent(step.anchor)}`);
}
