import { ClipboardCheck } from "lucide-react";
import { Link } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { Button } from "../ui/Button.tsx";
import { progressText, ruleText, type Approval } from "./approval-words.ts";
import { editTexts, texts } from "./texts.ts";
import { pendingQuery } from "./use-pending-approvals.ts";

/** The form's way to submit: it saves what is on the screen first, as a draft. */
export interface Submitting {
  isSaving: boolean;
  /** @param stored the SOP as it is shown, if nothing is unsaved */
  submit(stored: Sop | null): void;
}

interface EditApprovalProps {
  /** Null for a new one. */
  sop: Sop | null;
  mayAsk: boolean;
  unsaved: boolean;
  saving: Submitting;
}

/** The workflow panel's part in the approval: submits the stored version, or shows the open request. */
export function EditApproval({ sop, mayAsk, unsaved, saving }: EditApprovalProps) {
  // of a new one only whether there is approval at all
  const query = sop ? { sopId: sop.id } : pendingQuery;
  const requests = useRead("approvals", "list", { query });
  const request = sop && requests.data?.find(({ status }) => status === "pending");
  // a change to what is published becomes a draft
  const isDraft = !sop || sop.status === "draft" || (sop.status === "published" && unsaved);
  // nothing is offered where there is no approval (501), nor before it is known
  const isOffered = requests.data && isDraft && mayAsk;
  if (request) return <Running request={request} />;
  const stored = unsaved ? null : sop;
  return isOffered && <Submit stored={stored} busy={saving.isSaving} onSubmit={() => saving.submit(stored)} />;
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
