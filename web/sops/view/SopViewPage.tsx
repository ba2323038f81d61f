import { useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useEffect, useLayoutEffect, useState } from "react";
import { Navigate, useParams, useLocation } from "react-router-dom";
import { ApiError } from "#core/contract/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { keyOf, useRead } from "../../api.ts";
import { ApprovalSlot, isApprovalOpen } from "../../approvals/ApprovalSlot.tsx";
import { CommentsButton } from "../../comments/CommentsButton.tsx";
import { useCommentsPanel } from "../../comments/use-comments-panel.ts";
import { FavoriteButton } from "../../favorites/FavoriteButton.tsx";
import { Breadcrumb } from "../../ui/Breadcrumb.tsx";
import { ErrorState } from "../../ui/EmptyState.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Article } from "./Article.tsx";
import { SopNotFound } from "./SopNotFound.tsx";
import { useSopActions } from "./use-sop-actions.ts";
import { ViewActions } from "./ViewActions.tsx";
import { ViewHeader } from "./ViewHeader.tsx";
import { texts } from "./view-texts.ts";

const PrintFrame = lazyPart(() => import("./PrintFrame.tsx").then((module) => module.PrintFrame));
const ViewBanners = lazyPart(() => import("./ViewBanners.tsx").then((module) => module.ViewBanners));
const ControlBlock = lazyPart(() => import("./ControlBlock.tsx").then((module) => module.ControlBlock));
const LinkedFrom = lazyPart(() => import("./LinkedFrom.tsx").then((module) => module.LinkedFrom));
const ViewOutline = lazyPart(() => import("./ViewOutline.tsx").then((module) => module.ViewOutline));
const RequestedChanges = lazyPart(() =>
  import("../../approvals/RequestedChanges.tsx").then((module) => module.RequestedChanges),
);
const ReviewDialog = lazyPart(() =>
  import("../../periodic-review/ReviewDialog.tsx").then((module) => module.ReviewDialog),
);
const AcknowledgementPanel = lazyPart(() =>
  import("../../acknowledgements/AcknowledgementPanel.tsx").then((module) => module.AcknowledgementPanel),
);
const Comments = lazyPart(() => import("../../comments/Comments.tsx").then((module) => module.Comments));

/** /sop/:id */
export function SopViewPage() {
  const { id = "" } = useParams();
  const sop = useRead("sops", "get", { params: { id } });
  if (sop.error instanceof ApiError && sop.error.status === 404) return <SopNotFound />;
  if (sop.data && sop.data.id !== id) return <ToId sop={sop.data} />;
  if (sop.data) return <Shown key={sop.data.id} sop={sop.data} />;
  if (sop.isError) return <ErrorState title={texts.failed} onRetry={() => void sop.refetch()} />;
  return <Loading />;
}

/** The address names the SOP by its number, as links in texts do. Everything that is read beside it is known by its id. */
function ToId({ sop }: { sop: Sop }) {
  const { search, hash } = useLocation();
  const queryClient = useQueryClient();
  useLayoutEffect(() => {
    queryClient.setQueryData(keyOf("sops", "get", { params: { id: sop.id } }), sop);
  }, [queryClient, sop]);
  return <Navigate replace to={{ pathname: `/sop/${sop.id}`, search, hash }} />;
}

function Shown({ sop }: { sop: Sop }) {
  const actions = useSopActions(sop);
  const [box, setBox] = useState<HTMLElement | null>(null);
  useStepTarget(box, sop.content);
  const comments = useCommentsPanel();
  const [reviewing, setReviewing] = useState(false);
  const review = () => setReviewing(true);
  // stays where it is when it is decided under the eyes of who looks at it
  const [approvalFirst] = useState(isApprovalOpen(sop));
  return (
    <>
      <article className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <PrintFrame sop={sop} />
        <Breadcrumb items={[{ label: texts.back, to: "/sops" }, { label: sop.number }]} />
        <ViewActions sop={sop} actions={actions} onReview={review}>
          <FavoriteButton sop={sop} />
          <CommentsButton sopId={sop.id} open={comments.open} onToggle={() => comments.show(!comments.open)} />
        </ViewActions>
        <ViewHeader sop={sop} />
        <ViewBanners sop={sop} onReview={actions.may.review ? review : undefined} />
        {actions.may.edit && sop.status === "draft" && <RequestedChanges sop={sop} />}
        {approvalFirst && <ApprovalSlot sop={sop} />}
        <div
          className={clsx(
            "grid grid-cols-[minmax(0,1fr)] gap-10",
            comments.open ? "xl:grid-cols-[minmax(0,1fr)_23rem]" : "xl:grid-cols-[minmax(0,1fr)_15rem]",
          )}
        >
          <div ref={setBox} className="relative min-w-0">
            {sop.content.trim() === "" ? (
              <p className="text-muted">{texts.emptyText}</p>
            ) : (
              <Article html={sop.content} />
            )}
          </div>
          {!comments.open && <ViewOutline html={sop.content} />}
          <Comments sop={sop} box={box} panel={comments} />
        </div>
        <ControlBlock sop={sop} />
        <LinkedFrom sopId={sop.id} />
        {reviewing && (
          <ReviewDialog
            sop={sop}
            mayArchive={actions.may.archive}
            onDone={actions.accept}
            onClose={() => setReviewing(false)}
          />
        )}
        {!approvalFirst && <ApprovalSlot sop={sop} />}
      </article>
      <AcknowledgementPanel sop={sop} />
    </>
  );
}

function Loading() {
  return (
    <output className="grid max-w-[68ch] gap-4">
      <span className="sr-only">{texts.loading}</span>
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-10 w-3/4" />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="mt-6 h-96 w-full" />
    </output>
  );
}

/** @param box around the text @param html of it */
function useStepTarget(box: HTMLElement | null, html: string): void {
  const { search, hash, key } = useLocation();
  useEffect(() => {
    const params = new URLSearchParams(search);
    const target = { anchor: decodeURIComponent(hash.slice(1)), step: params.get("step"), at: params.get("at") };
    const article = box?.querySelector<HTMLElement>(".reading");
    if (!article || (target.step === null && target.at === null)) return undefined;
    let leave: (() => void) | null = () => undefined;
    // most addresses name none
    void import("./show-step.ts").then(({ showStep }) => {
      if (leave) leave = showStep(article, target);
    });
    return () => {
      leave?.();
      leave = null;
    };
  }, [box, html, search, hash, key]);
}
