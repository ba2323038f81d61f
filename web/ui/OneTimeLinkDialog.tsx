import { isLoopbackName, linkForOthers } from "#core/export/other-devices.ts";
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
  /** Who the link is for, what it does and how long it works. */
  description: string;
  /** A path on this site or a complete address. */
  link: string;
  onClose(): void;
}

/** A link that is shown once, so that the user can pass it on. */
export function OneTimeLinkDialog({ title, description, link, onClose }: OneTimeLinkDialogProps) {
  const address = linkForOthers(window.location, link);
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
      {/* The field takes the focus instead of Done: a stray Enter must not close what is shown only once. */}
      <CopyField
        takesFocus
        label={texts.oneTimeLink}
        hint={texts.copyItNowYou}
        value={address.href}
        copiedStatus={texts.theLinkIsCopied}
        className="font-mono text-xs"
      />
      {isLoopbackName(address.hostname) && (
        <p className="mt-3 text-sm">{texts.thisComputerOnly({ host: address.hostname })}</p>
      )}
    </Dialog>
  );
}
