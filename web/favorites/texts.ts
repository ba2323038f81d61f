import { catalog } from "#core/language/catalog.ts";
import type { RecentRange } from "#core/favorites/rules.ts";

export const texts = catalog("favorites", {
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
});

/** The periods to choose from, in the order of the select. */
export const rangeTexts = catalog("favorites.ranges", {
  today: "Today",
  week: "Past Week",
  month: "Past Month",
  quarter: "Past Quarter",
  all: "All Time",
}) satisfies Record<RecentRange, string>;
