import { useQueryClient } from "@tanstack/react-query";
import { CheckCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { errorMessageOf, useWrite } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Switch } from "../ui/Switch.tsx";
import { useToast } from "../ui/Toast.tsx";
import { usePages } from "../use-pages.ts";
import { NotificationRow } from "./NotificationRow.tsx";
import { texts } from "./texts.ts";

interface NotificationListProps {
  hasUnread: boolean;
  /** Called when the user follows a link. */
  onLeave(): void;
  /** Called when the focused control disappears. */
  onRowGone(): void;
}

export function NotificationList({ hasUnread, onLeave, onRowGone }: NotificationListProps) {
  const [onlyUnread, setOnlyUnread] = useState(false);
  const list = usePages("notifications", onlyUnread ? { unread: "true" } : {}, 20);
  const read = useWrite("notifications", "read");
  useRefreshOnReopen();
  return (
    <>
      <NotificationsHeading hasUnread={hasUnread} />
      <div className="min-h-0 flex-1 overflow-y-auto" aria-busy={list.isPending || list.isStale === true}>
        {list.isPending && <NotificationsLoading />}
        {list.hasFailed && (
          <div className="p-3">
            <Alert
              tone="destructive"
              live
              title={texts.failed}
              actions={<Button onClick={list.retry}>{texts.retry}</Button>}
            />
          </div>
        )}
        {!list.isPending && !list.hasFailed && list.rows.length === 0 && <NoNotifications onlyUnread={onlyUnread} />}
        <ul className="divide-y divide-line">
          {list.rows.map((notification) => (
            <NotificationRow
              key={notification.id}
              notification={notification}
              onRead={() => read.mutate({ params: { id: notification.id } })}
              onLeave={onLeave}
              onRowGone={onRowGone}
            />
          ))}
        </ul>
        {list.more?.hasFailed && (
          <div className="p-3">
            <Alert tone="destructive" live>
              {texts.moreFailed}
            </Alert>
          </div>
        )}
        {list.more?.hasMore && (
          <div className="p-3 text-center">
            <Button size="sm" busy={list.more.isLoading} onClick={list.more.load}>
              {texts.more}
            </Button>
          </div>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-2">
        <Switch
          label={texts.onlyUnread}
          checked={onlyUnread}
          onChange={(event) => setOnlyUnread(event.target.checked)}
        />
        <Link to="/settings#mail" onClick={onLeave} className="py-0.5 text-primary underline-offset-4 hover:underline">
          {texts.settings}
        </Link>
      </div>
    </>
  );
}

function NotificationsHeading({ hasUnread }: { hasUnread: boolean }) {
  const toast = useToast();
  const readAll = useWrite("notifications", "readAll");
  const markAll = () => {
    if (!hasUnread) return;
    readAll.mutate(
      {},
      {
        onError: (error) => toast({ title: errorMessageOf(error, texts.readAllFailed), variant: "destructive" }),
      },
    );
  };
  return (
    <div className="flex items-center justify-between gap-2 border-b border-line px-3 py-2">
      <h2 className="font-semibold">{texts.title}</h2>
      <Button variant="ghost" size="sm" aria-disabled={!hasUnread} busy={readAll.isPending} onClick={markAll}>
        <CheckCheck aria-hidden />
        {texts.readAll}
      </Button>
    </div>
  );
}

function NotificationsLoading() {
  return (
    <output className="grid gap-3 p-3">
      <span className="sr-only">{texts.loading}</span>
      {Array.from({ length: 4 }, (_, line) => (
        <Skeleton key={line} className="h-10" />
      ))}
    </output>
  );
}

function NoNotifications({ onlyUnread }: { onlyUnread: boolean }) {
  return (
    <div className="grid justify-items-center gap-1 px-6 py-10 text-center">
      <p className="font-semibold">{onlyUnread ? texts.allRead : texts.empty}</p>
      {!onlyUnread && <p className="text-muted">{texts.emptyHint}</p>}
    </div>
  );
}

/** Rows depend on the user's access, which can change, so the list is read again when it next opens. */
function useRefreshOnReopen() {
  const queryClient = useQueryClient();
  useEffect(
    () => () => void queryClient.invalidateQueries({ queryKey: ["notifications", "list"], refetchType: "none" }),
    [queryClient],
  );
}
