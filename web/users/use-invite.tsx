import { useState, type ReactNode } from "react";
import { catalog } from "#core/language/catalog.ts";
import type { Role } from "#core/permissions/roles.ts";
import { useMay } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";

const InviteDialog = lazyPart(() => import("./InviteDialog.tsx").then((module) => module.InviteDialog));

const texts = catalog("users.use-invite", {
  invite: "Invite people",
  invited: "{count, plural, one {# person} other {# people}} invited. You can choose them once they join.",
});

export interface Invite {
  /** A button that opens the dialog; null for users who can't invite. */
  button: ReactNode;
  /** The button with the number of people invited so far. */
  action: ReactNode;
  /** The dialog. It must be outside any form, because submitting its own form would submit that one too. */
  dialog: ReactNode;
}

/**
 * Adds an Invite button to a dialog in which users choose people.
 * @param first the role chosen at first
 * @param onBack called when the user returns, because an invited person may have joined
 */
export function useInvite(first: Role, onBack: () => void): Invite {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const [invited, setInvited] = useState(0);
  const button = may("user.manage") && <Button onClick={() => setOpen(true)}>{texts.invite}</Button>;
  return {
    button,
    action: button && (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {button}
        <p aria-live="polite" className="text-xs text-muted">
          {invited > 0 && texts.invited({ count: invited })}
        </p>
      </div>
    ),
    dialog: isOpen && (
      <InviteDialog
        first={first}
        onInvited={(count) => setInvited(invited + count)}
        onClose={() => {
          setOpen(false);
          onBack();
        }}
      />
    ),
  };
}
