export const texts = {
  heading: "Standard Operating Procedures",
  allSops: "All SOPs",
  dashboard: "Dashboard",
  newSop: "New SOP",
  search: "Search SOPs by title, content, or keywords...",
  results: "Results",
  count: (count: number) => `${count === 0 ? "No" : count} ${count === 1 ? "result" : "results"}`,
  for: (words: string) => `for “${words}”`,
  sortBy: (column: string) => `Sort by ${column}`,
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
  pendingTitle: "Pending Review:",
  pendingText: "Waiting for approval from team lead",
} as const;

/** For people who see drafts: what comes after the version that readers see. */
export const nextVersion = (status: string): string => `Next version: ${status}`;

/** Beside the latest version's status: what readers see meanwhile. */
export const publishedBadge = ({ version }: { version: number }): string => `v${version} published`;

export const statusOptions = [
  { value: "all", label: texts.allStatus },
  { value: "published", label: "Published" },
  { value: "draft", label: "Draft" },
  { value: "under_review", label: "Under Review" },
  { value: "archived", label: "Archived" },
] as const;

export const timeOptions = [
  { value: "anytime", label: "Anytime" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
  { value: "3m", label: "Last 3 months" },
] as const;
