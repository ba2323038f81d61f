import { catalog } from "#core/language/catalog.ts";

export const texts = catalog("sops", {
  heading: "Standard Operating Procedures",
  allSops: "All SOPs",
  dashboard: "Dashboard",
  newSop: "New SOP",
  search: "Search SOPs by title, content, or keywords...",
  results: "Results",
  count: "{count, plural, =0 {No} other {#}} {count, plural, one {result} other {results}}",
  for: "for “{words}”",
  sortBy: "Sort by {column}",
  category: "Category",
  status: "Status",
  allStatus: "All Status",
  number: "Number",
  title: "Title",
  owner: "Owner",
  updated: "Updated",
  clearAll: "Clear all",
  failed: "Failed to load SOPs",
  fetchFailed: "Failed to fetch SOPs",
  empty: "No SOPs found",
  emptyFiltered: "No matches. Try other filters.",
  emptyAuthor: "Write the first one, or begin with a template.",
  emptyReader: "SOPs appear here once they are published.",
  createFirst: "Create your first SOP",
  loadMore: "Load More SOPs",
  loadMoreFailed: "Couldn't load more SOPs.",
  loading: "Loading SOPs",
  uncategorized: "Uncategorized",
  unknownAuthor: "Unknown",
  unknownInitials: "??",
  never: "Never",
  template: "Template",
  aiGenerated: "AI Generated",
  aiTitle: "AI Recommendation",
  aiText: "This SOP was generated to help standardize your team's processes.",
  nextVersion: "Next version: {status}",
  publishedBadge: "v{version} published",
  pendingTitle: "Pending Review:",
  pendingText: "Waiting for approval from team lead",
  updatedWhen: "Updated {when}",
  readTime: "{minutes, number} min read",
});

/** Returns the status of the version that comes after the published version, for people who see drafts. */
export const nextVersionText = (status: string): string => texts.nextVersion({ status });

/** Returns a note for the status of the latest version. The note names the version that readers see. */
export const publishedBadge = ({ version }: { version: number }): string => texts.publishedBadge({ version });

export const statusTexts = catalog("sops.status", {
  all: "All Status",
  published: "Published",
  scheduled: "Not yet effective",
  draft: "Draft",
  under_review: "Under Review",
  archived: "Archived",
});

export const timeTexts = catalog("sops.time", {
  anytime: "Anytime",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "3m": "Last 3 months",
});
