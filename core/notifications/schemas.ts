import { Done, IdParams, page } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Notification, NotificationQuery, UnreadCount } from "./schema.ts";

export const notificationSchemas = schemaGroup({
  list: { query: NotificationQuery, output: page(Notification) },
  count: { output: UnreadCount },
  read: { params: IdParams, output: Done },
  readAll: { output: Done },
});
