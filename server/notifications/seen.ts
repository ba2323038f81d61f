/**
 * Presents notifications as their reader can see them now. If the reader has lost access to an SOP, its number and
 * title are missing.
 */
import { visibleVersion } from "#core/permissions/can.ts";
import type { Actor } from "#core/permissions/actor.ts";
import type { Notification } from "#core/notifications/schema.ts";
import { isAboutLatestVersion, type NotificationKind } from "#core/notifications/kinds.ts";
import { notificationLink, notificationSentence } from "#core/notifications/texts.ts";
import type { Collections, NotificationDocument, SopDocument } from "../database/documents.ts";
import type { Store } from "../database/port.ts";

export async function presentNotifications(
  company: Store<Collections>,
  actor: Actor,
  notices: readonly NotificationDocument[],
  inEmail = false,
): Promise<Notification[]> {
  const ids = [...new Set(notices.flatMap(({ sopId }) => sopId ?? []))];
  const sops = company.collection("sops");
  const found = ids.length === 0 ? [] : await sops.find({ _id: { $in: ids } });
  const known = new Map(found.map((sop) => [sop._id, sop]));
  return notices.map((notice) => presentNotification(actor, notice, known.get(notice.sopId ?? ""), inEmail));
}

function presentNotification(
  actor: Actor,
  notice: NotificationDocument,
  stored: SopDocument | undefined,
  inEmail: boolean,
): Notification {
  const { _id: id, kind, detail, createdAt, readAt } = notice;
  const sop = stored ? visibleSop(actor, kind, detail, stored) : null;
  const facts = { kind, actor: notice.actorName, sop, detail };
  const { text, ...sentence } = notificationSentence(facts, inEmail);
  return {
    id,
    kind,
    text,
    sentence,
    sop,
    actor: notice.actorName === null ? null : { name: notice.actorName },
    link: notificationLink(facts),
    createdAt,
    readAt,
  };
}

/** Returns the SOP of a notification; null if the reader can't see it. Readers don't learn of changes to drafts. */
function visibleSop(
  actor: Actor,
  kind: NotificationKind,
  detail: NotificationDocument["detail"],
  sop: SopDocument,
): Notification["sop"] {
  const view = visibleVersion(actor, sop);
  const shown =
    view === "latest" ? sop : view === "published" && !isAboutLatestVersion(kind, detail, sop) ? sop.published : null;
  return shown && { id: sop._id, number: sop.label, title: shown.title };
}
