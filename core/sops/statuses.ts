/** All statuses of an SOP. They have their own file, so that the CLI starts without the schemas. */
export const sopStatuses = ["draft", "under_review", "published", "archived"] as const;
export type SopStatus = (typeof sopStatuses)[number];
