/** Asks for the description of a newly added image, beside the image. Escape returns to the text. */
import { NodeSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { useEffect, useEffectEvent, useState, type FocusEvent, type KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { FloatingBox, topBarHeight } from "./FloatingBox.tsx";
import { isUnchangedSince, type AddedImage } from "./images.ts";
import { setImageProperties, imageElementAt, moveCaretBehindImage } from "./image-properties.ts";
import { texts } from "./texts.ts";

interface AddedImageBoxProps {
  placed: AddedImage;
  view: EditorView;
  onClose(): void;
}

/** The height of the box in pixels. */
const boxHeight = 264;
const focusField = (field: HTMLInputElement | null): void => field?.focus({ preventScroll: true });
const dialogAttributes = { role: "dialog", "aria-label": texts.editPicture };

export function AddedImageBox({ placed, view, onClose }: AddedImageBoxProps) {
  const [altText, setAltText] = useState("");
  const [caption, setCaption] = useState("");
  const place = useAddedImagePosition(placed, view, onClose);
  if (place === null) return null;
  const applyDescription = (): void => {
    const [alt = "", words = ""] = [altText, caption].map((text) => text.replace(/\s+/g, " ").trim());
    if (alt !== "" || words !== "") setImageProperties({ alt, width: null, caption: words })(view.state, view.dispatch);
  };
  const leaveAndClose = (): void => {
    moveCaretBehindImage(view.state, view.dispatch);
    onClose();
    view.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" && event.key !== "Enter") return;
    const isButton = event.target instanceof HTMLButtonElement;
    if (event.key === "Enter" && (isButton || event.nativeEvent.isComposing)) return;
    // Enter would submit the form around the editor.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") applyDescription();
    leaveAndClose();
  };
  // A click outside the box saves the description.
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (currentTarget.contains(relatedTarget)) return;
    applyDescription();
    onClose();
  };
  return (
    <FloatingBox
      view={view}
      at={place}
      isWhole
      className="w-80 p-3"
      {...dialogAttributes}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      <div className="grid gap-3">
        <Field label={texts.pictureSays} hint={texts.pictureHint}>
          {(control) => (
            <Input {...control} ref={focusField} value={altText} onChange={({ target }) => setAltText(target.value)} />
          )}
        </Field>
        <Field label={texts.caption} optional>
          {(control) => <Input {...control} value={caption} onChange={({ target }) => setCaption(target.value)} />}
        </Field>
      </div>
      <div className="mt-3 flex justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={leaveAndClose}>
          {texts.later}
        </Button>
        <Button
          size="sm"
          variant="primary"
          onClick={() => {
            applyDescription();
            leaveAndClose();
          }}
        >
          {texts.linkSave}
        </Button>
      </div>
    </FloatingBox>
  );
}

/**
 * Selects the added image once it has its final size, and then returns its position; null before. If the image is gone
 * or the user has done something else, calls `onMissing` instead.
 */
function useAddedImagePosition({ at, state }: AddedImage, view: EditorView, onMissing: () => void): number | null {
  const [place, setPlace] = useState<number | null>(null);
  const missing = useEffectEvent(onMissing);
  useEffect(() => {
    let isWanted = true;
    const image = isUnchangedSince(view, state) ? imageElementAt(view, at) : null;
    const showImage = (): void => {
      if (!isWanted) return;
      if (!image?.isConnected || !isUnchangedSince(view, state)) return missing();
      image.scrollIntoView({ block: "center" });
      // Scrolls so that the box below the image doesn't cover it.
      const { top, bottom } = image.getBoundingClientRect();
      window.scrollBy({ top: Math.max(0, Math.min(bottom + boxHeight - window.innerHeight, top - topBarHeight)) });
      view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, at)));
      // The box must open before the next key. Otherwise the text would replace the selected image by the typed letter.
      flushSync(() => setPlace(at));
    };
    if (image) void image.decode().then(showImage, showImage);
    else missing();
    return () => {
      isWanted = false;
    };
  }, [at, state, view]);
  return place;
}
