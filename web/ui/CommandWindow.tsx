import * as Radix from "radix-ui/dialog";
import type { ReactNode } from "react";
import { Overlay } from "./Overlay.tsx";
import { useReturnFocus } from "./use-return-focus.ts";

interface CommandWindowProps {
  /** The title for screen readers. */
  title: string;
  onClose(): void;
  /** Says whether the chosen command takes the focus itself. */
  keepsFocus(): boolean;
  children: ReactNode;
}

/** A dialog near the top of the page that has only a field and its list. Mounted only while open. */
export function CommandWindow({ title, onClose, keepsFocus, children }: CommandWindowProps) {
  const { onCloseAutoFocus } = useReturnFocus(true);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Overlay />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => (keepsFocus() ? event.preventDefault() : onCloseAutoFocus(event))}
          className="fixed inset-x-0 top-14 z-50 mx-auto flex max-h-[calc(100dvh-6rem)] w-[calc(100vw-2rem)] max-w-2xl animate-appear flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-float"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
