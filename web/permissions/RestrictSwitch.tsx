/**
 * Restricts an SOP to its owner, company admins and people with a grant. Users who would lose their own access or
 * permissions have to confirm first.
 */
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { useWrite, type Output } from "../api.ts";
import { useMay, type SopLike } from "../session.tsx";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Switch } from "../ui/Switch.tsx";
import { useToast } from "../ui/Toast.tsx";
import { restrictTexts as texts } from "./texts.ts";
import { useErrorToast } from "./use-error-toast.ts";

type SopAccess = Output<"sops", "permissions">;

interface RestrictSwitchProps {
  sop: SopLike & { id: string };
  access: SopAccess;
  accept(access: SopAccess): void;
}

export function RestrictSwitch({ sop, access, accept }: RestrictSwitchProps) {
  const restrict = useWrite("sops", "restrict");
  const toast = useToast();
  const navigate = useNavigate();
  const refused = useErrorToast(texts.failed);
  const cost = useAccessLoss(sop, access);
  const [asks, setAsks] = useState(false);
  /** The requested state while the server hasn't answered. */
  const [wanted, setWanted] = useState<boolean | null>(null);

  const changeRestriction = async (restricted: boolean): Promise<void> => {
    setWanted(restricted);
    try {
      const after = await restrict.mutateAsync({ params: { id: sop.id }, body: { restricted } });
      toast({ title: restricted ? texts.restricted : texts.unrestricted });
      if (restricted && cost === "access") void navigate("/sops");
      else accept(after);
    } catch (error) {
      refused(error);
    }
    setWanted(null);
    setAsks(false);
  };

  return (
    <div className="rounded-md border border-line px-4 py-3">
      <Switch
        label={texts.restrict}
        hint={texts.restrictHint}
        checked={wanted ?? access.restricted}
        onChange={({ target: { checked } }) => {
          if (wanted !== null) return;
          if (checked && cost) setAsks(true);
          else void changeRestriction(checked);
        }}
      />
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={cost === "access" ? texts.loseAccess : texts.loseRights}
        description={cost === "access" ? texts.loseAccessText : texts.loseRightsText}
        confirm={texts.restrictAnyway}
        destructive
        busy={wanted !== null}
        onConfirm={() => void changeRestriction(true)}
      />
    </div>
  );
}

/** Returns what the user would lose by restricting the SOP: access to it, the role's permissions on it, or nothing. */
function useAccessLoss(sop: SopLike, { permissions }: SopAccess): "access" | "rights" | null {
  const may = useMay();
  const after = { ...sop, grants: permissions, restricted: true };
  if (!may("sop.read_head", after)) return "access";
  return may("sop.restrict", after) ? null : "rights";
}
