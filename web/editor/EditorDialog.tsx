import { useEffect, useId, type FormEvent, type ReactNode } from "react";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { texts } from "./texts.ts";

interface EditorDialogProps {
  title: string;
  /** Buttons before Cancel and Save. */
  extraActions?: ReactNode;
  children: ReactNode;
  onSubmit(): void;
  onClose(): void;
  /** Called after the dialog has closed and the focus is lost. */
  onClosed(): void;
}

/** A form for one element of the text, such as a link. */
export function EditorDialog({ title, extraActions, children, onSubmit, onClose, onClosed }: EditorDialogProps) {
  const id = useId();
  useEffect(
    () => () => {
      // The closing dialog moves the focus itself, so the caller can set it only afterwards.
      setTimeout(onClosed);
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once, on unmount
    [],
  );
  const submitForm = (event: FormEvent): void => {
    event.preventDefault();
    // the dialog is in a portal, but React's events still bubble to the form around the editor
    event.stopPropagation();
    onSubmit();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      size="sm"
      footer={
        <>
          {extraActions}
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" form={id} variant="primary">
            {texts.linkSave}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submitForm} noValidate className="grid gap-4">
        {children}
      </form>
    </Dialog>
  );
}
