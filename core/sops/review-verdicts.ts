/** The outcomes of a periodic review. */
export const reviewVerdicts = ["keep", "revise", "archive"] as const;
export type ReviewVerdict = (typeof reviewVerdicts)[number];
