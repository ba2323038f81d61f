import { Done, IdParams, page } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Notification, NotificationQuery, UnreadCount } from "./schema.ts";

export const notificationSchemas = schemaGroup({
  list: {
    summary: "What the asker was told, newest first; what he may no longer see is told without its name",
    query: NotificationQuery,
    output: page(Notification),
  },
  count: { summary: "How many of them are unread", output: UnreadCount },
  read: { summary: "Mark one as read", params: IdParams, output: Done },
  readAll: { summary: "Mark all as read", output: Done },
});
