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

interface EditApprovalProps {
  sop: Sop;
  unsaved: boolean;
}

/** The workflow panel's part in the approval: what is stored can be submitted, what is being decided is told. */
export function EditApproval({ sop, unsaved }: EditApprovalProps) {
  const may = useMay();
  const requests = useRead("approvals", "list", { query: { sopId: sop.id } });
  const request = requests.data?.find(({ status }) => status === "pending");
  if (request) return <Running request={request} />;
  // nothing is offered where there is no approval (501, seed §7), nor before it is known
  if (!requests.data || sop.status !== "draft" || !may("sop.request_approval", sop)) return null;
  return <Submit sop={sop} unsaved={unsaved} />;
}

function Submit({ sop, unsaved }: EditApprovalProps) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  return (
    <div className="grid gap-1.5 border-t border-line pt-4">
      <Button wide disabled={unsaved} aria-describedby="submit-hint" onClick={() => setAsking(true)}>
        <ClipboardCheck aria-hidden />
        {texts.submit}
      </Button>
      <p id="submit-hint" className="text-xs text-muted">
        {unsaved ? editTexts.saveFirst : `Version ${sop.version} is submitted as it is stored.`}
      </p>
      {asking && (
        // whoever goes on editing would end the request
        <RequestDialog sop={sop} onRequested={() => void navigate(`/sop/${sop.id}`)} onClose={() => setAsking(false)} />
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
