import { useState } from "react";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { EditorDialog } from "./EditorDialog.tsx";
import { completeAddress } from "./link-schemes.ts";
import { texts } from "./texts.ts";

interface LinkDialogProps {
  /** The address of the link under the cursor; empty without one. */
  href: string;
  text: string;
  onApply(href: string, text: string): void;
  onRemove(): void;
  onClose(): void;
  /** Called after the dialog has closed and the focus is lost. */
  onClosed(): void;
}

export function LinkDialog({ href, text, onApply, onRemove, onClose, onClosed }: LinkDialogProps) {
  const [address, setAddress] = useState(href);
  const [shown, setShown] = useState(text);
  const [error, setError] = useState<string>();

  const submit = (): void => {
    const complete = completeAddress(address);
    if (complete === null) setError(address.trim() === "" ? texts.linkMissing : texts.linkRefused);
    else onApply(complete, shown.trim());
  };

  return (
    <EditorDialog
      title={texts.linkTitle}
      extraActions={
        href !== "" && (
          <Button variant="ghost" className="mr-auto" onClick={onRemove}>
            {texts.linkRemove}
          </Button>
        )
      }
      onSubmit={submit}
      onClose={onClose}
      onClosed={onClosed}
    >
      <Field label={texts.linkAddress} hint={texts.linkHint} error={error}>
        {(control) => (
          <Input
            {...control}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this
            autoFocus
            inputMode="url"
            autoComplete="off"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        )}
      </Field>
      <Field label={texts.linkText} optional>
        {(control) => <Input {...control} value={shown} onChange={(event) => setShown(event.target.value)} />}
      </Field>
    </EditorDialog>
  );
}
