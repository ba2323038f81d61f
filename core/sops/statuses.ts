/** Every status of an SOP. Apart from the schemas, so that the CLI starts without them. */
export const sopStatuses = ["draft", "under_review", "published", "archived"] as const;
export type SopStatus = (typeof sopStatuses)[number];
