/** States of a read confirmation; no zod in here. `past`: confirmed once, and no longer requested. */
export const acknowledgementStates = ["overdue", "open", "confirmed", "past"] as const;
export type AcknowledgementState = (typeof acknowledgementStates)[number];
