import { ClipboardCheck } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { progressText, ruleText, type Approval } from "./approval-words.ts";
import { RequestDialog } from "./RequestDialog.tsx";
import { editTexts, texts } from "./texts.ts";

/** The form's way to store what is on the screen before it is submitted. */
export interface SavingFirst {
  isSaving: boolean;
  /** @returns the draft that is stored now and holds all that is on the screen; null where there is none */
  saveDraft(): Promise<Sop | null>;
}

interface EditApprovalProps {
  sop: Sop;
  unsaved: boolean;
  saving: SavingFirst;
}

/** The workflow panel's part in the approval: what is stored can be submitted, what is being decided is told. */
export function EditApproval({ sop, unsaved, saving }: EditApprovalProps) {
  const may = useMay();
  const requests = useRead("approvals", "list", { query: { sopId: sop.id } });
  const request = requests.data?.find(({ status }) => status === "pending");
  if (request) return <Running request={request} />;
  // a change to what is published becomes a draft
  const isDraft = sop.status === "draft" || (sop.status === "published" && unsaved);
  // nothing is offered where there is no approval (501, seed §7), nor before it is known
  if (!requests.data || !isDraft || !may("sop.request_approval", sop)) return null;
  return <Submit sop={sop} unsaved={unsaved} saving={saving} />;
}

function Submit({ sop, unsaved, saving }: EditApprovalProps) {
  const navigate = useNavigate();
  /** What was stored when it was asked for: the request names its version, whatever is stored later. */
  const [asking, setAsking] = useState<Sop | null>(null);
  const begin = async (): Promise<void> => {
    const stored = unsaved ? await saving.saveDraft() : sop;
    if (stored?.status === "draft") setAsking(stored);
  };
  return (
    <div className="grid gap-1.5 border-t border-line pt-4">
      <Button wide busy={saving.isSaving} aria-describedby="submit-hint" onClick={() => void begin()}>
        <ClipboardCheck aria-hidden />
        {unsaved ? editTexts.saveAndSubmit : texts.submit}
      </Button>
      <p id="submit-hint" className="text-xs text-muted">
        {unsaved ? editTexts.savesFirst : `Version ${sop.version} is submitted as it is stored.`}
      </p>
      {asking && (
        // whoever goes on editing would end the request
        <RequestDialog
          sop={asking}
          onRequested={() => void navigate(`/sop/${sop.id}`)}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

function Running({ request }: { request: Approval }) {
  return (
    <div className="grid gap-1 border-t border-line pt-4">
      <p>
        <strong className="font-medium">{ruleText(request)}</strong>
        {` · ${progressText(request)}`}
      </p>
      <p className="text-xs text-muted">
        {`${editTexts.endsReview} `}
        <Link to={`/sop/${request.sopId}`} className="text-primary underline underline-offset-2">
          {editTexts.toApproval}
        </Link>
      </p>
    </div>
  );
}
