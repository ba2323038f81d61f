import { useRef, useState } from "react";
import { errorMessageOf, useWrite } from "../api.ts";
import { uploadAsset } from "../editor/upload-asset.ts";
import { useMe } from "../session.tsx";
import { Avatar } from "../ui/Avatar.tsx";
import { Button } from "../ui/Button.tsx";
import { FieldError } from "../ui/Field.tsx";
import { useToast } from "../ui/Toast.tsx";
import { profileTexts } from "./texts.ts";

/** Sets an image that replaces the initials. It is saved as soon as it is chosen. */
export function ImageField() {
  const me = useMe();
  const toast = useToast();
  const update = useWrite("account", "update");
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const save = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      setError(
        failure instanceof UnreadableImageError
          ? profileTexts.pictureUnreadable
          : errorMessageOf(failure, profileTexts.pictureFailed),
      );
    } finally {
      setBusy(false);
    }
  };
  const upload = (file: File) =>
    save(async () => {
      const square = await cropToSquare(file).catch(() => {
        throw new UnreadableImageError();
      });
      const { url } = await uploadAsset(new File([square], "picture.png", { type: square.type }));
      await update.mutateAsync({ body: { avatar: url } });
      toast({ title: profileTexts.pictureSaved });
    });
  const remove = () =>
    save(async () => {
      await update.mutateAsync({ body: { avatar: null } });
      toast({ title: profileTexts.pictureRemoved });
    });

  return (
    <div className="flex items-center gap-4">
      <Avatar initials={me.initials} image={me.avatar} size="lg" />
      <div className="grid gap-1.5">
        <div className="flex flex-wrap gap-2">
          <Button size="sm" busy={busy} onClick={() => input.current?.click()}>
            {profileTexts.pictureChoose}
          </Button>
          {me.avatar !== null && (
            <Button size="sm" variant="ghost" disabled={busy} onClick={() => void remove()}>
              {profileTexts.pictureRemove}
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          aria-label={profileTexts.pictureChoose}
          tabIndex={-1}
          className="hidden"
          onChange={({ target }) => {
            const file = target.files?.[0];
            // The input is cleared, so that the same file can be chosen again after a failure.
            target.value = "";
            if (file) void upload(file);
          }}
        />
        <p className="text-xs text-muted">{profileTexts.pictureHint}</p>
        <FieldError message={error} />
      </div>
    </div>
  );
}

class UnreadableImageError extends Error {}

/** The size of a stored image in pixels: enough for a circle of 64 px on dense screens. */
const storedSidePixels = 256;

/** Cuts the middle of an image to a square of at most 256 px. @throws if the browser can't read the file as an image */
async function cropToSquare(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file);
  try {
    const side = Math.min(picture.width, picture.height);
    const size = Math.min(side, storedSidePixels);
    const canvas = new OffscreenCanvas(size, size);
    const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
    canvas.getContext("2d")?.drawImage(picture, left, top, side, side, 0, 0, size, size);
    return await canvas.convertToBlob({ type: "image/png" });
  } finally {
    picture.close();
  }
}
