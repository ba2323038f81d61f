import type { Needs } from "#core/stats/schemas.ts";

export const texts = {
  heading: "Dashboard",
  totalSops: "Total SOPs",
  activeTeams: "Active Teams",
  pendingApproval: "Pending Approval",
  aiSuggestions: "AI Suggestions",
  statsFailed: "Failed to load the numbers",
  recent: "Recently Updated",
  recentFiltered: "Matching SOPs",
} as const;

export const overviewTexts = {
  status: "By Status",
  twice: (count: number) =>
    count === 1
      ? "1 is counted twice: published, with a new draft."
      : `${count} are counted twice: published, with new drafts.`,
  weeks: "Published",
  total: (count: number) => `${count === 1 ? "1 version" : `${count} versions`} in the last 12 weeks`,
  week: (monday: string, count: number) => `Week of ${monday}: ${count}`,
  thisWeek: "This week",
};

export const needsTexts = {
  heading: "Needs You",
  approvals: "To approve",
  returned: "Sent back to you",
  toRead: "To read",
  reviews: "To review",
  outcomes: {
    changes_requested: (by) => `${by} requested changes`,
    rejected: (by) => `${by} rejected it`,
  } satisfies Record<Needs["returned"][number]["outcome"], (by: string) => string>,
  overdue: "Overdue",
  seeAll: "See all",
  all: (title: string) => `See all: ${title}`,
} as const;
