/** Decides whether a pause while editing saves a version (docs/decisions/0041). */
import type { Editing, SaveRequest } from "./editing.ts";
import { haveSameValues, sopFormValuesOf } from "./form-values.ts";
import type { SopForm } from "./schema.ts";

/** The save that a pause in typing starts. */
export const automaticSave: SaveRequest = {
  stay: true,
  submits: false,
  isAutomatic: true,
  again: null,
  isReplaced: false,
};

/** Fields that take effect at once, also for readers, or may be half typed. Only a save by the user changes them. */
const decisions = ["number", "status", "categoryId", "ownerId", "teamId", "effectiveAt"] as const;

/**
 * Returns the values that a pause may save: those of the screen, except for the fields of `decisions`. Null if the
 * pause saves nothing.
 */
export function valuesToSaveAfterPause(state: Editing, now: SopForm): SopForm | null {
  const { base, step, dialog, setAside, images, writtenOn } = state;
  // a pause creates no SOP, and doesn't end a pending approval request
  if (!base || (base.status !== "draft" && base.status !== "published")) return null;
  const isFree = step.at === "rest" && !dialog && !setAside && images.underWay === 0;
  const isCurrent = state.isUnsaved && !state.isBehind && !state.lost && writtenOn === base.version;
  const isComplete = [now.title, now.description, now.markdown].every((text) => text.trim() !== "");
  if (!isFree || !isCurrent || !isComplete) return null;
  const stored = sopFormValuesOf(base);
  const values = { ...now, ...Object.fromEntries(decisions.map((field) => [field, stored[field]])) };
  return haveSameValues(values, stored) ? null : values;
}
