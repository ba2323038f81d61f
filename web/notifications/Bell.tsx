import { Bell as BellIcon } from "lucide-react";
import { useState } from "react";
import { useRead } from "../api.ts";
import { IconButton, type IconButtonProps } from "../ui/IconButton.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { bellText, countText } from "./bell-texts.ts";

const NotificationPopover = lazyPart(() =>
  import("./NotificationPopover.tsx").then((module) => module.NotificationPopover),
);

/** How many notifications are unread; the list loads when it is first asked for. The server's events keep it true. */
export function Bell() {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const unread = useRead("notifications", "count", {}).data?.unread ?? 0;
  const want = () => {
    setWanted(true);
    setOpen(true);
  };
  const waiting = <Trigger unread={unread} aria-haspopup="dialog" aria-expanded={false} onClick={want} />;
  if (!wanted) return waiting;
  return (
    <NotificationPopover
      waiting={waiting}
      trigger={<Trigger unread={unread} />}
      open={open}
      onOpenChange={setOpen}
      hasUnread={unread > 0}
      onClose={() => {
        setWanted(false);
        setOpen(false);
      }}
    />
  );
}

/** Takes what a popover gives its trigger. */
function Trigger({ unread, ...props }: { unread: number } & Partial<IconButtonProps>) {
  return (
    <IconButton {...props} label={bellText(unread)}>
      <span className="relative">
        <BellIcon aria-hidden />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute -top-2 left-2 rounded-full bg-destructive px-1 text-xs leading-4 font-semibold text-on-destructive"
          >
            {countText(unread)}
          </span>
        )}
      </span>
    </IconButton>
  );
}
