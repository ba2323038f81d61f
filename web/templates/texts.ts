export const texts = {
  open: "From template",
  title: "Start from a template",
  replaces: "The template takes the place of what is written here.",
  search: "Search templates...",
  own: "Your company's templates",
  library: "Template library",
  loading: "Loading templates",
  failed: "The templates could not be loaded.",
  none: "No template matches.",
  minutes: "min read",
  error: "Error",
  unread: "The template could not be opened. Please try again.",
} as const;
