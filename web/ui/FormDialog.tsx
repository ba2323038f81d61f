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
  /** The label of the submit button. */
  submitLabel: string;
  busy: boolean;
  /** An error that isn't about a single field. */
  error: string | undefined;
  onSubmit(event: SyntheticEvent<HTMLFormElement>): unknown;
  onClose(): void;
  children: ReactNode;
}

/** A form in a dialog: its fields, then Cancel and the submit button. Mounted only while open. */
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
