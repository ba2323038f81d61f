/** All statuses of an SOP. They have their own file, so that the CLI starts without the schemas. */
export const sopStatuses = ["draft", "under_review", "published", "archived"] as const;
export type SopStatus = (typeof sopStatuses)[number];

/** What badges, filters and counts name, in the order of a life. `scheduled`: approved or published for a later day. */
export const shownStatuses = ["draft", "under_review", "scheduled", "published", "archived"] as const;
export type ShownStatus = (typeof shownStatuses)[number];

/** The status to show. The stored one is `published` from the approval on, also while the version waits for its day. */
export function shownStatus(sop: {
  status: SopStatus;
  version: number;
  scheduled?: { readonly version: number } | null;
}): ShownStatus {
  return sop.status === "published" && sop.scheduled?.version === sop.version ? "scheduled" : sop.status;
}
