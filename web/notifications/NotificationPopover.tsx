import * as Radix from "radix-ui/popover";
import { useRef, type ReactNode } from "react";
import { NotificationList } from "./NotificationList.tsx";
import { texts } from "./texts.ts";

interface NotificationPopoverProps {
  trigger: ReactNode;
  open: boolean;
  onOpenChange(open: boolean): void;
  hasUnread: boolean;
}

export function NotificationPopover({ trigger, open, onOpenChange, hasUnread }: NotificationPopoverProps) {
  const panel = useRef<HTMLDivElement>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={panel}
          aria-label={texts.title}
          tabIndex={-1}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          // the first thing in there marks everything as read: the keyboard starts at the panel, not on it
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            panel.current?.focus();
          }}
          className="z-50 flex max-h-[calc(100dvh-6rem)] w-[calc(100vw-2rem)] max-w-sm animate-appear flex-col rounded-lg border border-line bg-surface text-sm shadow-float outline-none"
        >
          <NotificationList
            hasUnread={hasUnread}
            onLeave={() => onOpenChange(false)}
            onRowGone={() => panel.current?.focus()}
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
