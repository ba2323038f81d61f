export const texts = {
  title: "Notifications",
  readAll: "Mark all as read",
  readAllFailed: "Failed to mark your notifications as read. Please try again.",
  read: "Mark as read",
  unread: "Unread",
  onlyUnread: "Unread only",
  loading: "Loading your notifications…",
  failed: "Failed to load your notifications",
  retry: "Try Again",
  empty: "Nothing here yet",
  emptyHint: "You are told here when somebody asks for your approval, mentions you, or an SOP of yours is due.",
  allRead: "You have read everything",
  more: "Load more",
  moreFailed: "The next page could not be loaded. Try again.",
  settings: "Email settings",
} as const;

/** '7', '99+' */
export function countText(unread: number): string {
  return unread > 99 ? "99+" : String(unread);
}

/** The button's name: the number beside it is not read out. */
export function bellText(unread: number): string {
  return unread === 0 ? "Notifications" : `Notifications, ${countText(unread)} unread`;
}
