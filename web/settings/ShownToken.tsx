import { Button } from "../ui/Button.tsx";
import { CopyField } from "../ui/CopyField.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { tokenTexts } from "./texts.ts";

/** Only the server's hash of it is kept: this is the one look at it. */
export function ShownToken({ token, onClose }: { token: string; onClose(): void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={tokenTexts.shownTitle}
      description={tokenTexts.shownText}
      footer={
        <Button variant="primary" onClick={onClose}>
          {tokenTexts.done}
        </Button>
      }
    >
      <CopyField label={tokenTexts.shown} value={token} copiedStatus={tokenTexts.copiedStatus} className="font-mono" />
    </Dialog>
  );
}
