import { useState } from "react";
import { pictureWidths, readAlt, writeAlt, type PictureAlt } from "#core/markdown/picture-alt.ts";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { EditorDialog } from "./EditorDialog.tsx";
import { texts } from "./texts.ts";

interface PictureDialogProps extends PictureAlt {
  onApply(picture: PictureAlt): void;
  onClose(): void;
  /** It is gone, and took the focus with it. */
  onClosed(): void;
}

export function PictureDialog({ alt, width, onApply, onClose, onClosed }: PictureDialogProps) {
  const [altText, setAltText] = useState(alt);
  const [wide, setWide] = useState(width === null ? "" : String(width));
  const [error, setError] = useState<string>();
  const submit = (): void => {
    const { least, most } = pictureWidths;
    const newWidth = wide.trim() === "" ? null : Number(wide);
    if (newWidth !== null && !(Number.isInteger(newWidth) && newWidth >= least && newWidth <= most)) {
      return setError(texts.widthRefused(least, most));
    }
    const picture = { alt: altText.replace(/\s+/g, " ").trim(), width: newWidth };
    if (readAlt(writeAlt(picture)).width !== newWidth) return setError(texts.wordsAreWidth);
    onApply(picture);
  };
  return (
    <EditorDialog title={texts.pictureTitle} onSubmit={submit} onClose={onClose} onClosed={onClosed}>
      <Field label={texts.pictureSays} hint={texts.pictureHint}>
        {(control) => (
          <Input
            {...control}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this
            autoFocus
            value={altText}
            onChange={({ target }) => setAltText(target.value)}
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
    </EditorDialog>
  );
}
