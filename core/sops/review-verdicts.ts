/** What a periodic review can say of an SOP. */
export const reviewVerdicts = ["keep", "revise", "archive"] as const;
export type ReviewVerdict = (typeof reviewVerdicts)[number];
