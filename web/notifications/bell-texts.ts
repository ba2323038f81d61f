/** '7', '99+' */
export function countText(unread: number): string {
  return unread > 99 ? "99+" : String(unread);
}

/** The button's name: the number beside it is not read out. */
export function bellText(unread: number): string {
  return unread === 0 ? "Notifications" : `Notifications, ${countText(unread)} unread`;
}
