import * as Radix from "radix-ui/tooltip";
import { useRef, useState, type ReactNode } from "react";
import { Kbd } from "./Kbd.tsx";
import { usePortalContainer } from "./portal-container.ts";

/** Opens after 700 ms, the next within 300 ms at once, 4 px off its trigger (`docs/spec/screens.md`). */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  );
}

type Side = "top" | "right" | "bottom" | "left";

interface TooltipProps {
  content: ReactNode;
  shortcut?: string | undefined;
  side?: Side;
  /** Called each time it opens, if the place of its trigger decides what it must not cover. */
  sideAt?(trigger: HTMLElement): Side;
  /** One element that takes a ref and props. */
  children: ReactNode;
}

export function Tooltip({ content, shortcut, side = "top", sideAt, children }: TooltipProps) {
  const place = usePortalContainer();
  const trigger = useRef<HTMLButtonElement>(null);
  const [freeSide, setFreeSide] = useState(side);
  return (
    <Radix.Root onOpenChange={(open) => open && sideAt && trigger.current && setFreeSide(sideAt(trigger.current))}>
      <Radix.Trigger asChild ref={trigger}>
        {children}
      </Radix.Trigger>
      <Radix.Portal container={place}>
        <Radix.Content
          side={sideAt ? freeSide : side}
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
