/** Lists all jobs that start at a certain time. */
import { remindOfAcknowledgements } from "./acknowledgements/notices.ts";
import type { DeadlineJob } from "./jobs/deadlines.ts";
import { announceExpiredPermissions } from "./permissions/permissions-end.ts";
import { removeEndedTabs } from "./presence/end.ts";
import { remindOfReviews } from "./periodic-review/remind.ts";
import { publishDueVersions } from "./sops/edit/take-effect.ts";

export const deadlineJobs: readonly DeadlineJob[] = [
  publishDueVersions,
  remindOfReviews,
  remindOfAcknowledgements,
  announceExpiredPermissions,
  removeEndedTabs,
];
