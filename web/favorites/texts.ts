import type { RecentRange } from "#core/favorites/rules.ts";

export const texts = {
  favorites: "Favorites",
  searchFavorites: "Search your favorite SOPs...",
  noFavorites: "No favorites yet",
  noFavoritesHint: "Star SOPs to add them to your favorites for quick access",
  browse: "All SOPs",
  recent: "Recent",
  searchRecent: "Search your recent SOPs…",
  range: "Time range",
  noRecent: "No recent activity",
  noRecentHint: "SOPs you open or change appear here.",
} as const;

/** In the order of the select. */
export const rangeOptions = [
  { value: "today", label: "Today" },
  { value: "week", label: "Past Week" },
  { value: "month", label: "Past Month" },
  { value: "quarter", label: "Past Quarter" },
  { value: "all", label: "All Time" },
] as const satisfies readonly { value: RecentRange; label: string }[];
