import { catalog } from "#core/language/catalog.ts";
import { AppError } from "#core/errors.ts";
import type { SaveOutcome } from "#core/sops/editing.ts";
import { planSave, type DocumentControl } from "#core/sops/rules.ts";
import type { Sop } from "#core/sops/schema.ts";
import type { SopStatus } from "#core/sops/statuses.ts";
import { boundaryText } from "../../ui/time.ts";
import { daysUntilDay } from "../view/control-texts.ts";

const texts = catalog("sops.edit.status-hint", {
  publishFrom: "Saves version {version}, then asks to publish it from {day} on.",
  publish: "Saves version {version}, then asks to publish it.",
  archive: "Saves and archives it. Readers can't see it anymore.",
  unarchive: "Saves and unarchives it as a draft.",
  endsReview: "Saves version {version} as a draft. This ends the review.",
  readersKeep: "Readers keep version {published}. Saving creates version {version} as a draft.",
  draft: "Saves version {version} as a draft.",
  /** Shown only for a new SOP. The page of an existing SOP has a button to submit. */
  saveFirst: "Save as a draft first, then submit for approval.",
});

/** Returns what saving with this status does, by the same rule as on the server. */
export function outcomeOfSaving(
  sop: Sop | null,
  status: SopStatus,
  may: { publish: boolean; archive: boolean },
  control: DocumentControl,
  /** The effective date; empty if none is set. */
  from = "",
): SaveOutcome {
  const state = sop && { ...sop, deletedAt: null };
  const next = (sop?.version ?? 0) + 1;
  try {
    const plan = planSave(state, { status, changed: true }, may, control);
    if (plan.publish && from !== "" && daysUntilDay(from) > 0)
      return statusOutcomeOf("published", texts.publishFrom({ version: next, day: boundaryText(from) }));
    if (plan.publish) return statusOutcomeOf("published", texts.publish({ version: next }));
    if (plan.archive) return statusOutcomeOf("archived", texts.archive);
    if (plan.unarchive) return statusOutcomeOf("draft", texts.unarchive);
    if (sop?.status === "under_review") return statusOutcomeOf("draft", texts.endsReview({ version: next }));
    if (sop?.published)
      return statusOutcomeOf("draft", texts.readersKeep({ published: sop.published.version, version: next }));
    return statusOutcomeOf("draft", texts.draft({ version: next }));
  } catch (error) {
    if (error instanceof AppError)
      return { text: sop ? error.message : `${error.message}. ${texts.saveFirst}`, saves: null };
    throw error;
  }
}

const statusOutcomeOf = (saves: SaveOutcome["saves"], text: string): SaveOutcome => ({ text, saves });
