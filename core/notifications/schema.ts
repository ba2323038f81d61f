/** A user's notifications, as the bell lists them. */
import { z } from "zod";
import { Id, Paging, SentenceId, Time } from "../contract/parts.ts";
import { notificationKinds, type NotificationKind } from "./kinds.ts";

export const Notification = z
  .object({
    id: Id,
    kind: z.enum(Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]]),
    /** One sentence without a full stop, written when the notification is read. */
    text: z.string(),
    sentence: SentenceId,
    /**
     * The SOP as the user can see it now. Null for a notification about no SOP, or about one that the user can't see
     * anymore.
     */
    sop: z.object({ id: Id, number: z.string(), title: z.string() }).nullable(),
    /** The name as shown to the user, with the username. */
    actor: z.object({ name: z.string() }).nullable(),
    /** A path of the web app; null for a notification without a page to open. */
    link: z.string().nullable(),
    createdAt: Time,
    readAt: Time.nullable(),
  })
  .meta({ id: "Notification" });
export type Notification = z.output<typeof Notification>;

export const NotificationQuery = z.strictObject({ unread: z.enum(["true", "false"]).optional(), ...Paging });
export type NotificationQuery = z.output<typeof NotificationQuery>;

export const UnreadCount = z.object({ unread: z.number().int() }).meta({ id: "UnreadCount" });
