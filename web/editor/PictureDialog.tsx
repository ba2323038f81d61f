import { useEffect, useId, useState, type FormEvent } from "react";
import { pictureWidths, readAlt, writeAlt, type PictureAlt } from "#core/markdown/picture-alt.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { texts } from "./texts.ts";

interface PictureDialogProps extends PictureAlt {
  onApply(picture: PictureAlt): void;
  onClose(): void;
  /** It is gone, and took the focus with it. */
  onClosed(): void;
}

export function PictureDialog({ alt, width, onApply, onClose, onClosed }: PictureDialogProps) {
  const id = useId();
  const [says, setSays] = useState(alt);
  const [wide, setWide] = useState(width === null ? "" : String(width));
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
    const { least, most } = pictureWidths;
    const asked = wide.trim() === "" ? null : Number(wide);
    if (asked !== null && !(Number.isInteger(asked) && asked >= least && asked <= most)) {
      return setError(texts.widthRefused(least, most));
    }
    const picture = { alt: says.replace(/\s+/g, " ").trim(), width: asked };
    if (readAlt(writeAlt(picture)).width !== asked) return setError(texts.wordsAreWidth);
    onApply(picture);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.pictureTitle}
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" form={id} variant="primary">
            {texts.linkSave}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} noValidate className="grid gap-4">
        <Field label={texts.pictureSays} hint={texts.pictureHint}>
          {(control) => (
            <Input
              {...control}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this
              autoFocus
              value={says}
              onChange={({ target }) => setSays(target.value)}
            />
          )}
        </Field>
        <Field label={texts.pictureWidth} hint={texts.pictureWidthHint} error={error} optional>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={wide}
              onChange={({ target }) => setWide(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
