import { useId, type ReactNode, type SyntheticEvent } from "react";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Form } from "./Form.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.form-dialog", {
  cancel: "Cancel",
});

interface FormDialogProps {
  title: string;
  description?: string | undefined;
  size?: "sm" | "md";
  /** What the button says that sends it. */
  submitLabel: string;
  busy: boolean;
  /** Belongs to no field. */
  error: string | undefined;
  onSubmit(event: SyntheticEvent<HTMLFormElement>): unknown;
  onClose(): void;
  children: ReactNode;
}

/** A form in a dialog: its fields, and below them Cancel and the button that sends it. Mounted while it is open. */
export function FormDialog({ submitLabel, busy, error, onSubmit, onClose, children, ...window }: FormDialogProps) {
  const id = useId();
  return (
    <Dialog
      {...window}
      open
      startsInField
      onOpenChange={(open) => !open && onClose()}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" form={id} variant="primary" busy={busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <Form id={id} onSubmit={onSubmit} error={error}>
        {children}
      </Form>
    </Dialog>
  );
}
