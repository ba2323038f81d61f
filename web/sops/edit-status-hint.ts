import { AppError } from "#core/errors.ts";
import { planSave, type DocumentControl } from "#core/sops/rules.ts";
import type { Sop, SopStatus } from "#core/sops/schema.ts";
import { dayText } from "../ui/time.ts";
import { daysTo } from "./control-texts.ts";

export interface StatusHint {
  text: string;
  /** The server would refuse this save. */
  refused: boolean;
}

/** What saving a change with this status will do, by the very rule the server decides with. */
export function statusHint(
  sop: Sop | null,
  status: SopStatus,
  may: { publish: boolean; archive: boolean },
  control: DocumentControl,
  /** The effective date, when one is set. */
  from = "",
): StatusHint {
  const state = sop && { ...sop, publishedVersion: sop.published?.version ?? null, deletedAt: null };
  const next = (sop?.version ?? 0) + 1;
  try {
    const plan = planSave(state, { status, changed: true }, may, control);
    if (plan.publish && from !== "" && daysTo(from) > 0)
      return does(`Saves version ${next} and publishes it: readers see it from ${dayText(from)} on.`);
    if (plan.publish) return does(`Saves version ${next} and publishes it: readers see it at once.`);
    if (plan.archive) return does("Saves and archives: readers lose this SOP.");
    if (plan.unarchive) return does("Saves and brings it back from the archive as a draft.");
    if (sop?.status === "under_review") return does(`Saves version ${next} as a draft. The running review ends.`);
    if (sop?.published) return does(`Saves version ${next} as a draft. Readers keep version ${sop.published.version}.`);
    return does(`Saves version ${next} as a draft.`);
  } catch (error) {
    if (error instanceof AppError) return { text: error.message, refused: true };
    throw error;
  }
}

const does = (text: string): StatusHint => ({ text, refused: false });
