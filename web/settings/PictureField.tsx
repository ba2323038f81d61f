import { useRef, useState } from "react";
import { messageOf, useWrite } from "../api.ts";
import { uploadAsset } from "../editor/upload-asset.ts";
import { useMe } from "../session.tsx";
import { Avatar } from "../ui/Avatar.tsx";
import { Button } from "../ui/Button.tsx";
import { FieldError } from "../ui/Field.tsx";
import { useToast } from "../ui/Toast.tsx";
import { squarePicture } from "./square-picture.ts";
import { profileTexts } from "./texts.ts";

/** A picture in place of the initials: saved as soon as it is chosen. */
export function PictureField() {
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
        failure instanceof Unreadable ? profileTexts.pictureUnreadable : messageOf(failure, profileTexts.pictureFailed),
      );
    } finally {
      setBusy(false);
    }
  };
  const upload = (file: File) =>
    save(async () => {
      const square = await squarePicture(file).catch(() => {
        throw new Unreadable();
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
            // the same file may be chosen again after a failure
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

class Unreadable extends Error {}
