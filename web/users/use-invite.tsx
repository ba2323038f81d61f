import { useState, type ReactNode } from "react";
import { useMay } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";

const InviteDialog = lazyPart(() => import("./InviteDialog.tsx").then((module) => module.InviteDialog));

const texts = {
  invite: "Invite people",
  invited: (count: number) =>
    `${count === 1 ? "1 person" : `${count} people`} invited. You can choose them once they join.`,
} as const;

interface Invite {
  /** Opens the window. Nothing for users who can't invite. */
  action: ReactNode;
  /** Belongs outside any form: its own would submit that one too. */
  dialog: ReactNode;
}

/** Inviting readers from a window where people are chosen. @param onBack someone may have joined already */
export function useInvite(onBack: () => void): Invite {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const [invited, setInvited] = useState(0);
  return {
    action: may("user.manage") && (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button onClick={() => setOpen(true)}>{texts.invite}</Button>
        <p aria-live="polite" className="text-xs text-muted">
          {invited > 0 && texts.invited(invited)}
        </p>
      </div>
    ),
    dialog: isOpen && (
      <InviteDialog
        first="viewer"
        onInvited={(count) => setInvited(invited + count)}
        onClose={() => {
          setOpen(false);
          onBack();
        }}
      />
    ),
  };
}
