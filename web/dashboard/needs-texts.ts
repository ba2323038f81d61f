import type { Needs } from "#core/stats/schemas.ts";

export const needsTexts = {
  heading: "Needs You",
  approvals: "To approve",
  returned: "Sent back to you",
  toRead: "To read",
  reviews: "To review",
  outcomes: {
    changes_requested: (by) => `${by} asked for changes`,
    rejected: (by) => `${by} rejected it`,
  } satisfies Record<Needs["returned"][number]["outcome"], (by: string) => string>,
  overdue: "Overdue",
  seeAll: "See all",
  all: (title: string) => `See all: ${title}`,
} as const;
