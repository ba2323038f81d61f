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
