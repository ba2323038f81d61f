/** Where an SOP's screen keeps room for its approval. */
import { clsx } from "clsx";
import type { Sop } from "#core/sops/schema.ts";
import { useMay } from "../session.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";

const ApprovalPanel = lazyPart(
  () => import("./ApprovalPanel.tsx").then((module) => module.ApprovalPanel),
  ({ room }) => <div className={room} />,
);

/** A draft or under review: then the panel is above the text. */
export function isApprovalOpen({ status }: Pick<Sop, "status">): boolean {
  return status === "draft" || status === "under_review";
}

/** Who sees no head has no part in its approval. Keeps as much room as the panel will need, so that the text doesn't jump. */
export function ApprovalSlot({ sop }: { sop: Sop }) {
  const may = useMay();
  if (!may("sop.read_head", sop)) return null;
  const room = clsx(
    // who is asked has three buttons more
    sop.status === "under_review" && (sop.waitsForMe ? "min-h-72" : "min-h-42"),
    sop.status === "draft" && may("sop.request_approval", sop) && "min-h-24",
  );
  return <ApprovalPanel sop={sop} room={room} />;
}
