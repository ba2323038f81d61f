import { ClipboardCheck } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { Button } from "../ui/Button.tsx";
import { progressText, ruleText, type Approval } from "./approval-words.ts";
import { RequestDialog } from "./RequestDialog.tsx";
import { submissionOf } from "./submission.ts";
import { editTexts, texts } from "./texts.ts";
import { waitingQuery } from "./use-waiting.ts";

/** The form's way to store what is on the screen before it is submitted. */
export interface SavingFirst {
  isSaving: boolean;
  /** @returns the draft that is stored now and holds all that is on the screen; null where there is none */
  saveDraft(): Promise<Sop | null>;
}

interface EditApprovalProps {
  /** Null for a new one. */
  sop: Sop | null;
  mayAsk: boolean;
  unsaved: boolean;
  saving: SavingFirst;
}

/** The workflow panel's part in the approval: what is stored can be submitted, what is being decided is told. */
export function EditApproval({ sop, mayAsk, unsaved, saving }: EditApprovalProps) {
  const navigate = useNavigate();
  /** What was stored when it was asked for: the request names its version, whatever is stored later. */
  const [asking, setAsking] = useState<Sop | null>(null);
  // of a new one only whether there is approval at all
  const query = sop ? { sopId: sop.id } : waitingQuery;
  const requests = useRead("approvals", "list", { query });
  const request = sop && requests.data?.find(({ status }) => status === "pending");
  // a change to what is published becomes a draft
  const isDraft = !sop || sop.status === "draft" || (sop.status === "published" && unsaved);
  // nothing is offered where there is no approval (501), nor before it is known
  const isOffered = requests.data && isDraft && mayAsk;
  const begin = async (): Promise<void> => {
    const stored = unsaved || !sop ? await saving.saveDraft() : sop;
    if (stored?.status !== "draft") return;
    if (sop) setAsking(stored);
    // it has a page of its own now
    else void navigate(`/sop/${stored.id}`, { state: submissionOf(stored) });
  };
  return (
    <>
      {request ? (
        <Running request={request} />
      ) : (
        isOffered && <Submit stored={unsaved ? null : sop} busy={saving.isSaving} onSubmit={() => void begin()} />
      )}
      {asking && (
        // whoever goes on editing would end the request
        <RequestDialog
          sop={asking}
          onRequested={() => void navigate(`/sop/${asking.id}`)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

interface SubmitProps {
  /** What is on the screen, if it is stored. */
  stored: Sop | null;
  busy: boolean;
  onSubmit(): void;
}

function Submit({ stored, busy, onSubmit }: SubmitProps) {
  return (
    <div className="grid gap-1.5 border-t border-line pt-4">
      <Button wide busy={busy} aria-describedby={stored ? undefined : "submit-hint"} onClick={onSubmit}>
        <ClipboardCheck aria-hidden />
        {stored ? texts.submit : editTexts.saveAndSubmit}
      </Button>
      {!stored && (
        <p id="submit-hint" className="text-xs text-muted">
          {editTexts.savesFirst}
        </p>
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
