import { clsx } from "clsx";
import * as Radix from "radix-ui/alert-dialog";
import { useState, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import { ignoreSecondClick } from "./ignore-second-click.ts";
import { isSendKey } from "./Kbd.tsx";
import { Overlay } from "./Overlay.tsx";
import { PortalContainerProvider } from "./portal-container.ts";
import { useReturnFocus } from "./use-return-focus.ts";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.alert-dialog", { cancel: "Cancel" });

interface AlertDialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: ReactNode;
  description: ReactNode;
  confirm: string;
  cancel?: string;
  destructive?: boolean;
  /** True if the dialog is wide enough for a text to read. */
  wide?: boolean;
  busy?: boolean;
  /** True if the confirm button looks disabled. The caller has to ignore clicks on it. */
  confirmDisabled?: boolean;
  /**
   * Called on confirmation. The dialog stays open until the caller closes it, so that a refusal can be shown. A double
   * click or a held key counts once.
   */
  onConfirm(): void;
  children?: ReactNode;
}

/** A question that must be answered: focus starts on Cancel, a click outside does nothing. */
export function AlertDialog({
  open,
  onOpenChange,
  title,
  description,
  confirm,
  cancel = texts.cancel,
  destructive = false,
  wide = false,
  busy = false,
  confirmDisabled = false,
  onConfirm,
  children,
}: AlertDialogProps) {
  const returnFocus = useReturnFocus(open);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {open && <Overlay />}
        <Radix.Content
          ref={setPlace}
          {...returnFocus}
          aria-modal
          onClickCapture={ignoreSecondClick}
          onKeyDown={(event) => isSendKey(event) && !event.repeat && !busy && onConfirm()}
          className={clsx(
            "fixed top-1/2 left-1/2 z-50 grid max-h-[min(90dvh,56rem)] w-[calc(100vw-2rem)] -translate-1/2 animate-appear grid-cols-[minmax(0,1fr)] gap-4 overflow-y-auto rounded-lg border border-line bg-surface p-5 shadow-float",
            wide ? "max-w-4xl" : "max-w-md",
          )}
        >
          <PortalContainerProvider value={place}>
            <div>
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              <Radix.Description className="mt-1.5 text-sm text-muted">{description}</Radix.Description>
            </div>
            {children}
            <div className="flex flex-wrap justify-end gap-2">
              <Radix.Cancel asChild>
                <Button>{cancel}</Button>
              </Radix.Cancel>
              <Button
                variant={destructive ? "destructive" : "primary"}
                busy={busy}
                aria-disabled={confirmDisabled || undefined}
                onClick={onConfirm}
              >
                {confirm}
              </Button>
            </div>
          </PortalContainerProvider>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
