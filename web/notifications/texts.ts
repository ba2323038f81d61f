import { catalog } from "#core/language/catalog.ts";

export const texts = catalog("notifications", {
  title: "Notifications",
  readAll: "Mark all as read",
  readAllFailed: "Couldn't mark your notifications as read. Try again.",
  read: "Mark as read",
  unread: "Unread",
  onlyUnread: "Unread only",
  loading: "Loading your notifications…",
  failed: "Failed to load your notifications",
  retry: "Try Again",
  empty: "Nothing here yet",
  emptyHint: "Approval requests, mentions and due SOPs appear here.",
  allRead: "You're all caught up",
  more: "Load more",
  moreFailed: "Couldn't load more. Try again.",
  settings: "Email settings",
  bell: "Notifications, {unread} unread",
});

/** Returns the number on the bell: '7' or '99+'. */
export function unreadCountText(unread: number): string {
  return unread > 99 ? "99+" : String(unread);
}

/** Returns the bell's label with the number, for screen readers, which don't read the number on the button. */
export function bellText(unread: number): string {
  return unread === 0 ? texts.title : texts.bell({ unread: unreadCountText(unread) });
}
