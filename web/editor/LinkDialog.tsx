import { useEffect, useId, useState, type FormEvent } from "react";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { completeAddress } from "./link-schemes.ts";
import { texts } from "./texts.ts";

interface LinkDialogProps {
  /** The link under the cursor, if any. */
  href: string;
  text: string;
  onApply(href: string, text: string): void;
  onRemove(): void;
  onClose(): void;
  /** It is gone, and took the focus with it. */
  onClosed(): void;
}

export function LinkDialog({ href, text, onApply, onRemove, onClose, onClosed }: LinkDialogProps) {
  const id = useId();
  const [address, setAddress] = useState(href);
  const [shown, setShown] = useState(text);
  const [error, setError] = useState<string>();

  useEffect(
    () => () => {
      // the dialog itself gives the focus away when it goes, a moment later
      setTimeout(onClosed);
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it goes
    [],
  );

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // the dialog stands in a portal, but React's events still bubble to the form around the editor
    event.stopPropagation();
    const complete = completeAddress(address);
    if (complete === null) setError(address.trim() === "" ? texts.linkMissing : texts.linkRefused);
    else onApply(complete, shown.trim());
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.linkTitle}
      size="sm"
      footer={
        <>
          {href !== "" && (
            <Button variant="ghost" className="mr-auto" onClick={onRemove}>
              {texts.linkRemove}
            </Button>
          )}
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" form={id} variant="primary">
            {texts.linkSave}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} noValidate className="grid gap-4">
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
      </form>
    </Dialog>
  );
}
