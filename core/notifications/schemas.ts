import { Done, IdParams, pageSchemaOf } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Notification, NotificationQuery, UnreadCount } from "./schema.ts";

export const notificationSchemas = schemaGroup({
  list: {
    summary: "List your notifications, newest first; without names of SOPs that you can't see anymore",
    query: NotificationQuery,
    output: pageSchemaOf(Notification),
  },
  count: { summary: "Count your unread notifications", output: UnreadCount },
  read: { summary: "Mark one as read", params: IdParams, output: Done },
  readAll: { summary: "Mark all as read", output: Done },
});
