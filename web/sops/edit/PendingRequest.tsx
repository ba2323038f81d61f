import { Link } from "react-router-dom";
import { progressText, ruleText, type Approval } from "../../approvals/approval-words.ts";
import { editTexts } from "../../approvals/texts.ts";
import { Alert } from "../../ui/Alert.tsx";

/** Warns that saving ends the pending request. */
export function PendingRequest({ request }: { request: Approval }) {
  return (
    <Alert tone="warning" title={editTexts.endsReview}>
      {`${ruleText(request)} · ${progressText(request)} `}
      <Link to={`/sop/${request.sopId}`} className="text-primary underline underline-offset-2">
        {editTexts.toApproval}
      </Link>
    </Alert>
  );
}
