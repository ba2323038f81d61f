/** Shows the approval on an SOP's screen and reserves its height while it loads. */
import { clsx } from "clsx";
import type { Sop } from "#core/sops/schema.ts";
import { useMay } from "../session.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";

const ApprovalPanel = lazyPart(
  () => import("./ApprovalPanel.tsx").then((module) => module.ApprovalPanel),
  ({ room }) => <div className={room} />,
);

/** Says whether the approval panel is above the SOP's text, as for drafts and SOPs under review, or below it. */
export function isApprovalAboveText({ status }: Pick<Sop, "status">): boolean {
  return status === "draft" || status === "under_review";
}

/**
 * Shows the approval panel to users who see the latest version. The panel's height is reserved, so that the text
 * doesn't jump.
 */
export function ApprovalSlot({ sop }: { sop: Sop }) {
  const may = useMay();
  if (!may("sop.read_head", sop)) return null;
  const room = clsx(
    // An approver's panel has three more buttons.
    sop.status === "under_review" && (sop.waitsForMe ? "min-h-72" : "min-h-42"),
    sop.status === "draft" && may("sop.request_approval", sop) && "min-h-24",
  );
  return <ApprovalPanel sop={sop} room={room} />;
}
