/** How somebody stands to what he is asked to confirm; no zod in here. `past`: confirmed once, and is not asked any more. */
export const acknowledgementStates = ["overdue", "open", "confirmed", "past"] as const;
export type AcknowledgementState = (typeof acknowledgementStates)[number];
