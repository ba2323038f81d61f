import { Bell as BellIcon } from "lucide-react";
import * as Radix from "radix-ui/popover";
import { useRef, useState } from "react";
import { useRead } from "../api.ts";
import { IconButton, type IconButtonProps } from "../ui/IconButton.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { texts, bellText, unreadCountText } from "./texts.ts";

const NotificationList = lazyPart(() => import("./NotificationList.tsx").then((module) => module.NotificationList));

/** A button with the number of unread notifications that opens their list. The server's events keep both current. */
export function Bell() {
  const [open, setOpen] = useState(false);
  const unread = useRead("notifications", "count", {}).data?.unread ?? 0;
  const panel = useRef<HTMLDivElement>(null);
  const isLeaving = useRef(false);
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>
        <BellTrigger unread={unread} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={panel}
          aria-label={texts.title}
          tabIndex={-1}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          // The first button marks everything as read, so the focus starts on the panel instead.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            panel.current?.focus();
          }}
          // If the user followed a link, the new page takes the focus. Focus on the bell would open its tooltip.
          onCloseAutoFocus={(event) => {
            if (isLeaving.current) event.preventDefault();
            isLeaving.current = false;
          }}
          className="z-50 flex max-h-[calc(100dvh-6rem)] w-[calc(100vw-2rem)] max-w-sm animate-appear flex-col rounded-lg border border-line bg-surface text-sm shadow-float outline-none"
        >
          <NotificationList
            hasUnread={unread > 0}
            onLeave={() => {
              isLeaving.current = true;
              setOpen(false);
            }}
            onRowGone={() => panel.current?.focus()}
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Gets props from the popover, which passes them to its trigger. */
function BellTrigger({ unread, ...props }: { unread: number } & Partial<IconButtonProps>) {
  return (
    <IconButton {...props} label={bellText(unread)}>
      <span className="relative">
        <BellIcon aria-hidden />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute -top-2 left-2 rounded-full bg-destructive px-1 text-xs leading-4 font-semibold text-on-destructive"
          >
            {unreadCountText(unread)}
          </span>
        )}
      </span>
    </IconButton>
  );
}
