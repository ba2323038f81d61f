import { useState } from "react";
import { imageWidths, readAlt, writeAlt } from "#core/markdown/image-alt.ts";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { EditorDialog } from "./EditorDialog.tsx";
import type { ImageProperties } from "./image-properties.ts";
import { texts } from "./texts.ts";

interface ImageDialogProps extends ImageProperties {
  /** The field that takes the focus. */
  first: "alt" | "caption";
  onApply(image: ImageProperties): void;
  onRemove(): void;
  onClose(): void;
  /** Called after the dialog has closed and the focus is lost. */
  onClosed(): void;
}

export function ImageDialog({ alt, width, caption, first, onApply, onRemove, onClose, onClosed }: ImageDialogProps) {
  const [altText, setAltText] = useState(alt);
  const [words, setWords] = useState(caption);
  const [wide, setWide] = useState(width === null ? "" : String(width));
  const [error, setError] = useState<string>();
  const applyProperties = (): void => {
    const { least, most } = imageWidths;
    const newWidth = wide.trim() === "" ? null : Number(wide);
    if (newWidth !== null && !(Number.isInteger(newWidth) && newWidth >= least && newWidth <= most)) {
      return setError(texts.widthRefused({ least, most }));
    }
    const [newAlt = "", newCaption = ""] = [altText, words].map((text) => text.replace(/\s+/g, " ").trim());
    const image = { alt: newAlt, width: newWidth, caption: newCaption };
    if (readAlt(writeAlt(image)).width !== newWidth) return setError(texts.wordsAreWidth);
    onApply(image);
  };
  return (
    <EditorDialog
      title={texts.pictureTitle}
      onSubmit={applyProperties}
      onClose={onClose}
      onClosed={onClosed}
      extraActions={
        <Button variant="ghost" className="mr-auto" onClick={onRemove}>
          {texts.removePicture}
        </Button>
      }
    >
      <Field label={texts.pictureSays} hint={texts.pictureHint}>
        {(control) => (
          <Input
            {...control}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this
            autoFocus={first === "alt"}
            value={altText}
            onChange={({ target }) => setAltText(target.value)}
          />
        )}
      </Field>
      <Field label={texts.caption} hint={texts.captionHint} optional>
        {(control) => (
          <Input
            {...control}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this
            autoFocus={first === "caption"}
            value={words}
            onChange={({ target }) => setWords(target.value)}
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
