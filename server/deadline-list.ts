/** All work that starts at a certain time. */
import { remindOfAcknowledgements } from "./acknowledgements/notices.ts";
import type { Deadline } from "./jobs/deadlines.ts";
import { endRights } from "./permissions/rights-end.ts";
import { endPresences } from "./presence/end.ts";
import { remindOfReviews } from "./periodic-review/remind.ts";
import { takeEffect } from "./sops/edit/take-effect.ts";

export const deadlines: readonly Deadline[] = [
  takeEffect,
  remindOfReviews,
  remindOfAcknowledgements,
  endRights,
  endPresences,
];
