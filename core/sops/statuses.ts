/** All statuses of an SOP. They have their own file, so that the CLI starts without the schemas. */
export const sopStatuses = ["draft", "under_review", "published", "archived"] as const;
export type SopStatus = (typeof sopStatuses)[number];

/**
 * The statuses in badges, filters and counts. `scheduled` is an approved or published version with a later effective
 * date.
 */
export const shownStatuses = ["draft", "under_review", "scheduled", "published", "archived"] as const;
export type ShownStatus = (typeof shownStatuses)[number];

/**
 * Returns the status to show: `scheduled` until the effective date, although the stored status is `published` already.
 */
export function shownStatus(sop: {
  status: SopStatus;
  version: number;
  scheduled?: { readonly version: number } | null;
}): ShownStatus {
  return sop.status === "published" && sop.scheduled?.version === sop.version ? "scheduled" : sop.status;
}
