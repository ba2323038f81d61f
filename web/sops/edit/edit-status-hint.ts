import { AppError } from "#core/errors.ts";
import type { Outcome } from "#core/sops/editing.ts";
import { planSave, type DocumentControl } from "#core/sops/rules.ts";
import type { Sop } from "#core/sops/schema.ts";
import type { SopStatus } from "#core/sops/statuses.ts";
import { boundaryText } from "../../ui/time.ts";
import { daysTo } from "../view/control-texts.ts";

/** What saving a change with this status will do, by the very rule the server decides with. */
export function statusHint(
  sop: Sop | null,
  status: SopStatus,
  may: { publish: boolean; archive: boolean },
  control: DocumentControl,
  /** The effective date, when one is set. */
  from = "",
): Outcome {
  const state = sop && { ...sop, deletedAt: null };
  const next = (sop?.version ?? 0) + 1;
  try {
    const plan = planSave(state, { status, changed: true }, may, control);
    if (plan.publish && from !== "" && daysTo(from) > 0)
      return does("published", `Saves version ${next}, then asks to publish it from ${boundaryText(from)} on.`);
    if (plan.publish) return does("published", `Saves version ${next}, then asks to publish it.`);
    if (plan.archive) return does("archived", "Saves and archives it. Readers can't see it anymore.");
    if (plan.unarchive) return does("draft", "Saves and unarchives it as a draft.");
    if (sop?.status === "under_review") return does("draft", `Saves version ${next} as a draft. This ends the review.`);
    if (sop?.published)
      return does("draft", `Readers keep version ${sop.published.version}. Saving creates version ${next} as a draft.`);
    return does("draft", `Saves version ${next} as a draft.`);
  } catch (error) {
    if (error instanceof AppError) return { text: sop ? error.message : `${error.message}. ${saveFirst}`, saves: null };
    throw error;
  }
}

/** An existing SOP has the button on its screen. */
const saveFirst = "Save as a draft first, then submit for approval.";

const does = (saves: Outcome["saves"], text: string): Outcome => ({ text, saves });
