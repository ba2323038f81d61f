/** Lists all jobs that start at a certain time. */
import { remindOfAcknowledgements } from "./acknowledgements/notices.ts";
import type { DeadlineJob } from "./jobs/deadlines.ts";
import { endPermissions } from "./permissions/permissions-end.ts";
import { endPresences } from "./presence/end.ts";
import { remindOfReviews } from "./periodic-review/remind.ts";
import { takeEffect } from "./sops/edit/take-effect.ts";

export const deadlines: readonly DeadlineJob[] = [
  takeEffect,
  remindOfReviews,
  remindOfAcknowledgements,
  endPermissions,
  endPresences,
];
