import { useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ChevronLeft } from "lucide-react";
import { useEffect, useLayoutEffect, useState } from "react";
import { Link, Navigate, useLocation, useParams } from "react-router-dom";
import { outerCategoryOf } from "#core/categories/rules.ts";
import { ApiError } from "#core/api/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useAcknowledgements } from "../../acknowledgements/use-acknowledgements.ts";
import { queryKeyOf, useRead } from "../../api.ts";
import { ApprovalSlot, isApprovalAboveText } from "../../approvals/ApprovalSlot.tsx";
import { CommentsButton } from "../../comments/CommentsButton.tsx";
import { useCommentsPanel } from "../../comments/use-comments-panel.ts";
import { Breadcrumb } from "../../ui/Breadcrumb.tsx";
import { ErrorState } from "../../ui/EmptyState.tsx";
import { Fold } from "../../ui/Fold.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useMediaQuery } from "../../ui/use-media-query.ts";
import { textAttributesOf } from "../direction.ts";
import { Article, type ArticleProps } from "./Article.tsx";
import { stepTargetOf } from "./step-target.ts";
import { SopNotFound } from "./SopNotFound.tsx";
import { useSopActions } from "./use-sop-actions.ts";
import { ViewActions } from "./ViewActions.tsx";
import { ViewHeader } from "./ViewHeader.tsx";
import { texts } from "./view-texts.ts";

const PrintFrame = lazyPart(() => import("./PrintFrame.tsx").then((module) => module.PrintFrame));
const ViewBanners = lazyPart(() => import("./ViewBanners.tsx").then((module) => module.ViewBanners));
const ControlBlock = lazyPart(() => import("./ControlBlock.tsx").then((module) => module.ControlBlock));
const LinkedFrom = lazyPart(() => import("./LinkedFrom.tsx").then((module) => module.LinkedFrom));
const FoldedArticle = lazyPart(
  () => import("./FoldedArticle.tsx").then((module) => module.FoldedArticle),
  // The placeholder fills the window, so that nothing below the text is visible before it.
  () => <div className="min-h-dvh" />,
);
const ViewAids = lazyPart(() => import("./ViewAids.tsx").then((module) => module.ViewAids));
const PhoneBar = lazyPart(() => import("./ViewAids.tsx").then((module) => module.PhoneBar));
const RequestedChanges = lazyPart(() =>
  import("../../approvals/RequestedChanges.tsx").then((module) => module.RequestedChanges),
);
const ReviewDialog = lazyPart(() =>
  import("../../periodic-review/ReviewDialog.tsx").then((module) => module.ReviewDialog),
);
const AskedReaders = lazyPart(() =>
  import("../../acknowledgements/AskedReaders.tsx").then((module) => module.AskedReaders),
);
const RequestReadingDialog = lazyPart(() =>
  import("../../acknowledgements/RequestReadingDialog.tsx").then((module) => module.RequestReadingDialog),
);
const Comments = lazyPart(() => import("../../comments/Comments.tsx").then((module) => module.Comments));

/** /sop/:id shows an SOP. */
export function SopViewPage() {
  const { id = "" } = useParams();
  const sop = useRead("sops", "get", { params: { id } });
  if (sop.error instanceof ApiError && sop.error.status === 404) return <SopNotFound />;
  if (sop.data && sop.data.id !== id) return <RedirectToId sop={sop.data} />;
  if (sop.data) return <SopView key={sop.data.id} sop={sop.data} />;
  if (sop.isError) return <ErrorState title={texts.failed} onRetry={() => void sop.refetch()} />;
  return <SopViewLoading />;
}

/** Redirects from an SOP's number, as in links of texts, to its id, because all other reads use the id. */
function RedirectToId({ sop }: { sop: Sop }) {
  const { search, hash } = useLocation();
  const queryClient = useQueryClient();
  useLayoutEffect(() => {
    queryClient.setQueryData(queryKeyOf("sops", "get", { params: { id: sop.id } }), sop);
  }, [queryClient, sop]);
  return <Navigate replace to={{ pathname: `/sop/${sop.id}`, search, hash }} />;
}

/** On a phone the text waits for the code that collapses its start, so that it never moves. */
function CollapsibleText({ description, ...props }: ArticleProps & { description: string }) {
  const isPhone = useMediaQuery("(max-width: 639px)");
  return isPhone ? <FoldedArticle {...props} description={description} /> : <Article {...props} />;
}

function SopView({ sop }: { sop: Sop }) {
  const actions = useSopActions(sop);
  const [box, setBox] = useState<HTMLElement | null>(null);
  // The element of the text. On a phone it appears later than the box around it.
  const [article, setArticle] = useState<HTMLElement | null>(null);
  useShowStepOfAddress(article, sop.content);
  const comments = useCommentsPanel();
  const reading = useAcknowledgements(sop);
  const [dialog, setDialog] = useState<"review" | "ask" | null>(null);
  const close = () => setDialog(null);
  const openReview = () => setDialog("review");
  // The approval stays above or below the text while the page is open, even after a decision.
  const [approvalFirst] = useState(isApprovalAboveText(sop));
  return (
    // The number of columns depends on the room at the user's font size.
    <div className="@container max-sm:-mx-4 max-sm:px-4">
      <article
        className={clsx(
          "grid grid-cols-[minmax(0,1fr)] gap-x-12 @min-[50rem]:justify-between print:block",
          comments.open
            ? "@min-[58rem]:grid-cols-[minmax(0,42.5rem)_21rem]"
            : "@min-[50rem]:grid-cols-[minmax(0,42.5rem)_13rem]",
        )}
      >
        <div data-print="hide" className="col-span-full -mt-2 mb-1 flex flex-wrap items-center gap-2 sm:mt-0 sm:mb-4">
          <SopPath sop={sop} />
          <ViewActions
            sop={sop}
            actions={actions}
            comments={comments}
            onReview={openReview}
            onAskToRead={reading.mayAsk && sop.status !== "archived" ? () => setDialog("ask") : undefined}
          />
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6 print:block print:[&>*+*]:mt-4">
          <PrintFrame sop={sop} />
          <ViewHeader sop={sop} />
          <ViewBanners sop={sop} onReview={actions.may.review ? openReview : undefined} />
          {actions.may.edit && sop.status === "draft" && <RequestedChanges sop={sop} />}
          {approvalFirst && <ApprovalSlot sop={sop} />}
          <div ref={setBox} className="relative min-w-0">
            {sop.content.trim() === "" ? (
              <p className="text-muted">{texts.emptyText}</p>
            ) : (
              <CollapsibleText
                html={sop.content}
                {...textAttributesOf(sop)}
                description={sop.description}
                onShown={setArticle}
                // An approval is of the whole text, so no part of it is folded.
                isWhole={sop.status === "under_review"}
              />
            )}
          </div>
          {!approvalFirst && <ApprovalSlot sop={sop} />}
          <div className="mt-6 border-b border-line print:mt-0">
            <ControlBlock sop={sop} />
            {reading.data?.mayAsk && reading.data.matrix && (
              <div data-print="hide">
                <Fold
                  id="acknowledgement-heading"
                  title={texts.confirmations}
                  summary={confirmationProgressText(reading.data.matrix)}
                >
                  <AskedReaders sop={sop} matrix={reading.data.matrix} isPublished={reading.data.inForce !== null} />
                </Fold>
              </div>
            )}
            <LinkedFrom sopId={sop.id} />
            <CommentsButton sopId={sop.id} open={comments.open} onToggle={() => comments.show(!comments.open)} />
          </div>
        </div>
        {!comments.open && <ViewAids sopId={sop.id} html={sop.content} />}
        <Comments sop={sop} box={box} panel={comments} />
        {dialog === "review" && (
          <ReviewDialog sop={sop} mayArchive={actions.may.archive} onDone={actions.accept} onClose={close} />
        )}
        {dialog === "ask" && reading.data && (
          <RequestReadingDialog sop={sop} ask={reading.data.matrix?.ask ?? null} onClose={close} />
        )}
      </article>
      <PhoneBar sop={sop} data={reading.data} article={article} />
    </div>
  );
}

function confirmationProgressText({ ask, counts }: { ask: unknown; counts: { asked: number; confirmed: number } }) {
  return ask ? texts.of({ confirmed: counts.confirmed, asked: counts.asked }) : undefined;
}

/** The path to the SOP. On a phone it is only the category. */
function SopPath({ sop }: { sop: Sop }) {
  const categories = useRead("categories", "list", {}).data ?? [];
  const category = sop.category && { label: sop.category.name, to: `/category/${sop.categoryId ?? ""}` };
  const outer = outerCategoryOf(categories, sop.categoryId);
  const back = category ?? { label: texts.back, to: "/sops" };
  return (
    <>
      <Link to={back.to} className="-ml-1 flex min-h-11 items-center gap-1 pr-2 text-muted sm:hidden">
        <ChevronLeft aria-hidden className="size-4" />
        {back.label}
      </Link>
      <div className="max-sm:hidden">
        <Breadcrumb
          items={[
            { label: texts.back, to: "/sops" },
            ...(outer ? [{ label: outer.name, to: `/category/${outer.id}` }] : []),
            ...(category ? [category] : []),
            { label: sop.number },
          ]}
        />
      </div>
    </>
  );
}

function SopViewLoading() {
  return (
    <output className="grid max-w-[42.5rem] gap-4">
      <span className="sr-only">{texts.loading}</span>
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-10 w-3/4" />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="mt-6 h-96 w-full" />
    </output>
  );
}

/**
 * Scrolls to the step that the address names, if any, and highlights it. @param article the element of the text; null
 * until it is shown @param html the HTML of the text
 */
function useShowStepOfAddress(article: HTMLElement | null, html: string): void {
  const { search, hash, key } = useLocation();
  useEffect(() => {
    const target = stepTargetOf({ search, hash });
    if (!article || target === null) return undefined;
    let leave: (() => void) | null = () => undefined;
    // Most addresses name no step, so this code loads only if needed.
    void import("./show-step.ts").then(({ showStep }) => {
      if (leave) leave = showStep(article, target);
    });
    return () => {
      leave?.();
      leave = null;
    };
  }, [article, html, search, hash, key]);
}
