import { clsx } from "clsx";
import { X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { useState, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import { Overlay } from "./Overlay.tsx";
import { PortalContainerProvider } from "./portal-container.ts";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.sheet", {
  close: "Close",
});

interface SheetProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  /** The title for screen readers. The content shows its own heading. */
  title: string;
  /** `bottom` comes from below on a phone, and floats on the right on wide screens. */
  side?: "left" | "right" | "bottom";
  /** True if the sheet covers the whole phone screen, for content to work in. */
  wide?: boolean;
  children: ReactNode;
}

const places = {
  left: "inset-y-0 left-0 animate-slide-left bg-paper",
  right: "inset-y-0 right-0 animate-slide-right bg-surface",
  bottom:
    "inset-x-0 bottom-0 max-h-[82dvh] animate-slide-up rounded-t-sheet bg-surface sm:inset-x-auto sm:top-4 sm:right-4 sm:bottom-auto sm:w-96 sm:animate-appear sm:rounded-lg",
};

/** A panel that slides in from a side: navigation on small screens, details. */
export function Sheet({ open, onOpenChange, title, side = "left", wide = false, children }: SheetProps) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {open && <Overlay />}
        <Radix.Content
          ref={setPlace}
          aria-describedby={undefined}
          className={clsx(
            "fixed z-50 flex flex-col shadow-float",
            side !== "bottom" && (wide ? "w-full max-w-sm" : "w-[min(20rem,calc(100vw-3rem))]"),
            places[side],
          )}
        >
          <PortalContainerProvider value={place}>
            <Radix.Title className="sr-only">{title}</Radix.Title>
            {/* Centers the button beside a heading of the same height. */}
            <span className="absolute top-0 right-3 z-10 flex h-14 items-center">
              <Radix.Close asChild>
                <Button variant="ghost" size="icon-sm" aria-label={texts.close}>
                  <X aria-hidden />
                </Button>
              </Radix.Close>
            </span>
            {children}
          </PortalContainerProvider>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
