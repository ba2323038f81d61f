/** Of the page itself: what is below its heading loads with texts of its own. */
export const pageTexts = {
  title: "Company",
  subtitle: "Who you are, how SOPs come into force, and who may do what.",
  readOnly: "You can see these settings. Company admins can change them.",
  denied: "You don't have permission to see the company's settings.",
  loading: "Loading the company…",
} as const;
