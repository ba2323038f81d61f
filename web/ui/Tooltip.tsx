import * as Radix from "radix-ui/tooltip";
import { useRef, useState, type ReactNode } from "react";
import { Kbd } from "./Kbd.tsx";
import { usePortalContainer } from "./portal-container.ts";

/**
 * Provides tooltips. The first opens after 700 ms, the next one within 300 ms at once. They are 4 px from their trigger
 * (`docs/spec/screens.md`).
 */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  );
}

type TooltipSide = "top" | "right" | "bottom" | "left";

interface TooltipProps {
  content: ReactNode;
  shortcut?: string | undefined;
  side?: TooltipSide;
  /** Returns the side on which the tooltip opens. Called each time, if it depends on the trigger's position. */
  sideAt?(trigger: HTMLElement): TooltipSide;
  /** A single element that accepts a ref and props. */
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
