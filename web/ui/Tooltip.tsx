import * as Radix from "radix-ui/tooltip";
import type { ReactNode } from "react";
import { Kbd } from "./Kbd.tsx";
import { usePlace } from "./place.ts";

/** Opens after 700 ms, the next within 300 ms at once, 4 px off its trigger (seed §9). */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  );
}

interface TooltipProps {
  content: ReactNode;
  shortcut?: string | undefined;
  side?: "top" | "right" | "bottom" | "left";
  /** One element that takes a ref and props. */
  children: ReactNode;
}

export function Tooltip({ content, shortcut, side = "top", children }: TooltipProps) {
  const place = usePlace();
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal container={place}>
        <Radix.Content
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="z-60 flex max-w-72 animate-appear items-center gap-2 rounded-md bg-text px-2.5 py-1.5 text-xs text-bg shadow-float"
        >
          {content}
          {shortcut && <Kbd keys={shortcut} inverted />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
