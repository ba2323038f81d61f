import { Dialog } from "../../ui/Dialog.tsx";
import { Input } from "../../ui/Input.tsx";
import { texts } from "./view-texts.ts";

/** Shows the link, so that the user can copy it by hand. */
export function LinkDialog({ link, onClose }: { link: string; onClose(): void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={texts.linkTitle} size="sm">
      <Input aria-label={texts.linkTitle} readOnly value={link} onFocus={(event) => event.target.select()} />
    </Dialog>
  );
}
