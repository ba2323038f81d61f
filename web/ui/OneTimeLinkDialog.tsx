import { isThisMachine, sharedLink } from "#core/export/other-devices.ts";
import { Button } from "./Button.tsx";
import { CopyField } from "./CopyField.tsx";
import { Dialog } from "./Dialog.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.one-time-link-dialog", {
  done: "Done",
  oneTimeLink: "One-time link",
  copyItNowYou: "Copy it now. You won't see it again. Anyone who has it can use it.",
  theLinkIsCopied: "The link is copied",
  thisComputerOnly:
    "{host} opens on this computer only. For other devices, ask your system administrator for the address.",
});

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
          {texts.done}
        </Button>
      }
    >
      {/* past the button that closes it: a stray Enter must not lose what is shown only once */}
      <CopyField
        takesFocus
        label={texts.oneTimeLink}
        hint={texts.copyItNowYou}
        value={address.href}
        copiedStatus={texts.theLinkIsCopied}
        className="font-mono text-xs"
      />
      {isThisMachine(address.hostname) && (
        <p className="mt-3 text-sm">{texts.thisComputerOnly({ host: address.hostname })}</p>
      )}
    </Dialog>
  );
}
