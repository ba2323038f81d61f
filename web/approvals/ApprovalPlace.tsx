/** Where an SOP's screen keeps room for its approval; the panel's code loads after the text. */
import { ArrowDown } from "lucide-react";
import { lazy, Suspense } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { useMay, useMe } from "../session.tsx";
import { Alert } from "../ui/Alert.tsx";
import { pendingTexts, texts } from "./texts.ts";

const ApprovalPanel = lazy(() => import("./ApprovalPanel.tsx").then((module) => ({ default: module.ApprovalPanel })));

/** Who sees no head has no part in its approval. */
export function ApprovalPlace({ sop }: { sop: Sop }) {
  const may = useMay();
  if (!may("sop.read_head", sop)) return null;
  return (
    <Suspense fallback={null}>
      <ApprovalPanel sop={sop} />
    </Suspense>
  );
}

/** Known from the SOP itself, so that nothing moves when the panel arrives. */
export function ApprovalNotice({ sop }: { sop: Sop }) {
  const { id } = useMe();
  if (!sop.approvers.includes(id)) return null;
  return (
    <div data-print="hide">
      <Alert tone="warning" title={pendingTexts.actionTitle}>
        {`${texts.waitsForYou} `}
        <a href="#approval" className="inline-flex items-center gap-1 font-medium underline xl:hidden">
          {texts.toApproval}
          <ArrowDown aria-hidden className="size-3.5" />
        </a>
      </Alert>
    </div>
  );
}
