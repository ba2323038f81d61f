import { clsx } from "clsx";
import { X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import { isSendKey } from "./Kbd.tsx";
import { Overlay } from "./Overlay.tsx";
import { PortalContainerProvider } from "./portal-container.ts";
import { useReturnFocus } from "./use-return-focus.ts";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.dialog", {
  close: "Close",
});

interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: ReactNode;
  description?: ReactNode;
  /** `md` has reading width, `wide` is for two columns and `full` for comparing texts. */
  size?: "sm" | "md" | "wide" | "full";
  /** True if the focus starts in the first field, as in a form. Otherwise it starts on the dialog itself. */
  startsInField?: boolean;
  /** The row of buttons at the bottom, with the primary button last. */
  footer?: ReactNode;
  children?: ReactNode;
}

const widths = { sm: "max-w-md", md: "max-w-160", wide: "max-w-4xl", full: "max-w-7xl" };

/** A dialog over the page. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = "md",
  startsInField = false,
  footer,
  children,
}: DialogProps) {
  const returnFocus = useReturnFocus(open);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {open && <Overlay />}
        <Radix.Content
          ref={setPlace}
          {...returnFocus}
          {...(description === undefined && { "aria-describedby": undefined })}
          onKeyDown={submitOnCtrlEnter}
          {...(startsInField && { onOpenAutoFocus: focusFirstField })}
          className={clsx(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[min(90dvh,56rem)] w-[calc(100vw-2rem)] -translate-1/2 animate-appear flex-col rounded-lg bg-surface shadow-float max-sm:top-auto max-sm:bottom-0 max-sm:left-0 max-sm:max-h-[92dvh] max-sm:w-full max-sm:max-w-none max-sm:translate-0 max-sm:animate-slide-up max-sm:rounded-b-none max-sm:rounded-t-sheet",
            widths[size],
          )}
        >
          <PortalContainerProvider value={place}>
            <header className="flex items-start justify-between gap-4 px-4 pt-4 pb-3 sm:px-6">
              <div className="min-w-0">
                <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
                {description !== undefined && (
                  <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description>
                )}
              </div>
              <Radix.Close asChild>
                <Button variant="ghost" size="icon-sm" aria-label={texts.close}>
                  <X aria-hidden />
                </Button>
              </Radix.Close>
            </header>
            <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4 sm:px-6 sm:pb-6">{children}</div>
            {footer && (
              <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3 sm:px-6 sm:py-4">
                {footer}
              </footer>
            )}
          </PortalContainerProvider>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Presses the primary button on Ctrl+Enter, even in a field of several lines. */
function submitOnCtrlEnter(event: KeyboardEvent<HTMLElement>) {
  if (!isSendKey(event)) return;
  const main = event.currentTarget.querySelector<HTMLElement>(":scope > footer > :last-child");
  if (!(main instanceof HTMLButtonElement)) return;
  event.preventDefault();
  main.click();
}

function focusFirstField(event: Event) {
  const field = (event.currentTarget as HTMLElement).querySelector<HTMLElement>(
    ":is(input, select, textarea):not(:disabled, [type=hidden])",
  );
  if (!field) return;
  event.preventDefault();
  field.focus();
}
