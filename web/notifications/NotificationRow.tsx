import { clsx } from "clsx";
import { AtSign, BookOpenCheck, CalendarClock, ClipboardCheck, FileCheck, MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { Notification } from "#core/notifications/schema.ts";
import { spokenText } from "#core/language/catalog.ts";
import { Button } from "../ui/Button.tsx";
import { dateTimeText, timeAgo } from "../ui/time.ts";
import { texts } from "./texts.ts";

interface NotificationRowProps {
  notification: Notification;
  onRead(): void;
  onLeave(): void;
  onRowGone(): void;
}

export function NotificationRow({ notification, onRead, onLeave, onRowGone }: NotificationRowProps) {
  const { link, readAt } = notification;
  const isUnread = readAt === null;
  const rowStyle = clsx("flex gap-3 px-3 py-2.5", isUnread && "bg-primary-soft");
  if (link !== null) {
    const followNotification = () => {
      if (isUnread) onRead();
      onLeave();
    };
    return (
      <li>
        <Link to={link} onClick={followNotification} className={clsx(rowStyle, "-outline-offset-2 hover:bg-sunken")}>
          <NotificationContent notification={notification} />
        </Link>
      </li>
    );
  }
  const markRead = () => {
    onRowGone();
    onRead();
  };
  return (
    <li className={rowStyle}>
      <NotificationContent notification={notification}>
        {isUnread && (
          <Button variant="link" size="sm" className="-ml-2.5" onClick={markRead}>
            {texts.read}
          </Button>
        )}
      </NotificationContent>
    </li>
  );
}

function NotificationContent({ notification, children }: { notification: Notification; children?: ReactNode }) {
  const { kind, text, sentence, createdAt, readAt } = notification;
  const isUnread = readAt === null;
  return (
    <>
      <span aria-hidden className="mt-0.5 text-muted [&_svg]:size-4">
        {notificationIconOf(kind)}
      </span>
      <span className="min-w-0 flex-1">
        {isUnread && <span className="sr-only">{texts.unread}: </span>}
        <span className={clsx("block wrap-anywhere", isUnread && "font-medium")}>
          {spokenText({ ...sentence, text })}
        </span>
        <time dateTime={createdAt} title={dateTimeText(createdAt)} className="block text-xs text-muted">
          {timeAgo(createdAt)}
        </time>
        {children}
      </span>
    </>
  );
}

function notificationIconOf(kind: Notification["kind"]): ReactNode {
  if (kind === "mention") return <AtSign />;
  if (kind === "comment") return <MessageSquare />;
  if (kind === "published") return <FileCheck />;
  if (kind.startsWith("review")) return <CalendarClock />;
  return kind.startsWith("acknowledgement") ? <BookOpenCheck /> : <ClipboardCheck />;
}
