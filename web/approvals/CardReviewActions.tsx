import { Check, MessageSquare } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { SopRow } from "#core/sops/schema.ts";
import { Button } from "../ui/Button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("approvals.card-review", {
  approveTitle: "Approve {title}",
  approve: "Approve",
  commentOn: "Comment on {title}",
  comment: "Comment",
});

const CardApproveDialog = lazyPart(() => import("./CardApproveDialog.tsx").then((module) => module.CardApproveDialog));

/**
 * The actions on the card of an SOP under review: Approve, for an approver who hasn't decided, and a link to the
 * comments.
 */
export function CardReviewActions({ sop }: { sop: SopRow }) {
  const [asking, setAsking] = useState(false);
  return (
    // The buttons are above the link that covers the card.
    <div className="relative z-10 mt-2 flex w-fit gap-2">
      {sop.waitsForMe && (
        <Button
          size="sm"
          variant="primary"
          aria-label={texts.approveTitle({ title: sop.title })}
          onClick={() => setAsking(true)}
        >
          <Check aria-hidden />
          {texts.approve}
        </Button>
      )}
      <Button asChild size="sm">
        <Link to={`/sop/${sop.id}#comments`} aria-label={texts.commentOn({ title: sop.title })}>
          <MessageSquare aria-hidden />
          {texts.comment}
        </Link>
      </Button>
      {asking && <CardApproveDialog sop={sop} onClose={() => setAsking(false)} />}
    </div>
  );
}
