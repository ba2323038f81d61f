import { isThisMachine, sharedLink } from "#core/export/other-devices.ts";
import { Button } from "./Button.tsx";
import { CopyField } from "./CopyField.tsx";
import { Dialog } from "./Dialog.tsx";

interface OneTimeLinkDialogProps {
  title: string;
  /** For whom it is, what it does, how long it works. */
  description: string;
  /** A path of this site, or a whole address. */
  link: string;
  onClose(): void;
}

/** A link that is shown once, to be handed over by hand. */
export function OneTimeLinkDialog({ title, description, link, onClose }: OneTimeLinkDialogProps) {
  const address = sharedLink(window.location, link);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {/* past the button that closes it: a stray Enter must not lose what is shown only once */}
      <CopyField
        takesFocus
        label="One-time link"
        hint="Copy it now. You won't see it again. Anyone who has it can use it."
        value={address.href}
        copiedStatus="The link is copied"
        className="font-mono text-xs"
      />
      {isThisMachine(address.hostname) && (
        <p className="mt-3 text-sm">
          {address.hostname} opens on this computer only. For other devices, ask your system administrator for the
          address.
        </p>
      )}
    </Dialog>
  );
}
