import { clsx } from "clsx";
import { CircleCheck, ClipboardCheck } from "lucide-react";
import { useId, useState, type ComponentProps } from "react";
import { useNavigate } from "react-router-dom";
import { ApiError } from "#core/api/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { dateText, dateTimeText } from "../ui/time.ts";
import { requestOutcomeText, type ListedApproval } from "./approval-words.ts";
import { DecisionUnavailable } from "./DecisionUnavailable.tsx";
import { SubmitForApprovalDialog } from "./SubmitForApprovalDialog.tsx";
import { RequestView } from "./RequestView.tsx";
import { useDraftNextStep } from "./use-draft-next-step.ts";
import { useRequestedSubmission } from "./submission.ts";
import { outcomeTexts, texts } from "./texts.ts";
import type { DecisionName } from "./use-decision.ts";

interface ApprovalPanelProps {
  sop: Sop;
  /** A class with the panel's minimum height while it loads. */
  room: string;
}

/** The approval of one SOP: to submit it, decide on it or see the outcome. For users who see the latest version. */
export function ApprovalPanel({ sop, room }: ApprovalPanelProps) {
  const may = useMay();
  const requests = useRead("approvals", "list", { query: { sopId: sop.id } });
  /** The SOP as shown when the dialog opened, so that no one submits a text they haven't seen. */
  const [asking, setAsking] = useState<Sop | null>(null);
  const isLost = !requests.isFetching && requests.data !== undefined && isRequestMissing(sop, requests.data[0]);
  const maySubmit = (sop.status === "draft" || isLost) && may("sop.request_approval", sop);
  const isPending = requests.data?.[0]?.status === "pending";
  useRequestedSubmission(sop, requests.data && maySubmit && !isPending ? setAsking : null);
  // Status 501 means that this server has no approvals.
  if (requests.error instanceof ApiError && requests.error.status === 501) return null;
  return (
    <>
      {(requests.data?.length !== 0 || maySubmit || isLost) && (
        // The section takes the focus when the button that opened a dialog is gone.
        <section
          id="approval"
          tabIndex={-1}
          aria-labelledby="approval-heading"
          data-print="hide"
          className="outline-none"
        >
          <Card
            className={clsx(
              "grid grid-cols-[minmax(0,1fr)] content-start gap-4 p-4",
              !requests.data && !requests.isError && room,
            )}
          >
            <h2 id="approval-heading" className="font-semibold">
              {texts.heading}
            </h2>
            {isLost && <Alert tone="warning">{texts.requestLost}</Alert>}
            {requests.data ? (
              <ApprovalRequests
                requests={requests.data}
                sop={sop}
                onSubmit={maySubmit && !isPending ? () => setAsking(sop) : null}
              />
            ) : requests.isError ? (
              <ErrorState title={texts.statusFailed} onRetry={() => void requests.refetch()} />
            ) : (
              <ApprovalsLoading />
            )}
          </Card>
        </section>
      )}
      {/* The dialog is outside the panel, so that a typed comment stays if the panel disappears. */}
      {asking && <SubmitForApprovalDialog sop={asking} onClose={() => setAsking(null)} />}
    </>
  );
}

/** Says whether an SOP is under review but its request is missing: all stored requests ended before the submission. */
function isRequestMissing({ status, updatedAt }: Sop, newest: ListedApproval | undefined): boolean {
  if (status !== "under_review") return false;
  return newest === undefined || (newest.resolvedAt !== null && newest.resolvedAt <= updatedAt);
}

interface ApprovalRequestsProps {
  requests: readonly ListedApproval[];
  sop: Sop;
  /** null if there is nothing to submit. */
  onSubmit: (() => void) | null;
}

function ApprovalRequests({ requests, sop, onSubmit }: ApprovalRequestsProps) {
  const [newest, ...earlier] = requests;
  const leave = useLeaveAfterLosingAccess(sop);
  const next = useDraftNextStep(sop);
  return (
    <>
      {onSubmit && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="max-w-prose text-muted">
            {newest?.version === sop.version ? texts.submitAgainText : texts.submitText}
          </p>
          <Button variant={next === "submit" ? "primary" : "outline"} onClick={onSubmit}>
            <ClipboardCheck aria-hidden />
            {texts.submit}
          </Button>
        </div>
      )}
      {newest && onSubmit && (
        <h3 className="border-t border-line pt-4 text-xs font-semibold text-muted">{texts.lastRequest}</h3>
      )}
      {newest && <NewestRequest key={newest.id} approval={newest} shown={sop.version} onDecided={leave} />}
      {earlier.length > 0 && <EarlierRequests requests={earlier} />}
    </>
  );
}

interface NewestRequestProps {
  approval: ListedApproval;
  shown: number;
  onDecided(kind: DecisionName): void;
}

/** An approved request takes one line, so readers reach the procedure at once. */
function NewestRequest({ approval, shown, onDecided }: NewestRequestProps) {
  const [open, setOpen] = useState(false);
  // The request stays expanded when it ends, so that an open dialog and its typed text stay.
  const [wasOpen] = useState(approval.outcome !== "approved");
  const body = useId();
  const other = shown !== approval.version && <OtherVersionNotice approval={approval} shown={shown} />;
  const view = <RequestView approval={approval} instead={other} onDecided={onDecided} />;
  const isApproved = approval.outcome === "approved";
  return (
    <>
      {isApproved && (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
          <span className="min-w-0">
            {[requestOutcomeText(approval), approval.resolvedAt && dateText(approval.resolvedAt)]
              .filter(Boolean)
              .join(", ")}
          </span>
          <Button
            variant="link"
            size="sm"
            className="-my-1 px-1"
            aria-expanded={open}
            aria-controls={body}
            aria-label={open ? texts.hideLabel : texts.showLabel}
            onClick={() => setOpen(!open)}
          >
            {open ? texts.hide : texts.show}
          </Button>
        </p>
      )}
      <div id={body} hidden={isApproved && !open}>
        {(open || wasOpen || !isApproved) && view}
      </div>
    </>
  );
}

/**
 * Returns a function to call after a decision. Users who could read the draft only as approvers lose access when they
 * reject it, so the function takes them to the list of requests.
 */
function useLeaveAfterLosingAccess(sop: Sop) {
  const may = useMay();
  const navigate = useNavigate();
  const keeps = sop.published !== null || may("sop.read_head", { ...sop, status: "draft", approvers: [] });
  return (kind: DecisionName): void => {
    // Back leads to the previous page, not to the page the user can't see anymore
    if (kind !== "approve" && !keeps) void navigate("/pending", { replace: true });
  };
}

function EarlierRequests({ requests }: { requests: readonly ListedApproval[] }) {
  return (
    <details className="border-t border-line pt-3">
      <summary className="text-xs font-semibold text-muted">{`${texts.earlier} (${requests.length})`}</summary>
      <ul className="mt-3 grid gap-3">
        {requests.map((one) => (
          <li key={one.id}>
            <p className="font-medium">{`${texts.version({ version: one.version })}: ${one.outcome ? outcomeTexts[one.outcome] : ""}`}</p>
            <p className="text-xs text-muted">
              {`${printedName(one.requestedBy)}, `}
              <time dateTime={one.createdAt}>{dateTimeText(one.createdAt)}</time>
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ApprovalsLoading() {
  return (
    <output className="grid gap-2">
      <span className="sr-only">{texts.loading}</span>
      <Skeleton className="h-5 w-28" />
    </output>
  );
}

interface OtherVersionNoticeProps {
  approval: ListedApproval;
  /** The version whose text is on the page. */
  shown: number;
}

/** Replaces the decision buttons if the page shows another version than the submitted one. */
function OtherVersionNotice({ approval: { sopId, version }, shown }: OtherVersionNoticeProps) {
  const sop = useRead("sops", "get", { params: { id: sopId } });
  const requests = useRead("approvals", "list", { query: { sopId } });
  if (sop.isFetching || requests.isFetching)
    return <DecisionUnavailable reason={texts.versionLoading({ version: Math.max(shown, version) })} />;
  const reload = () => void Promise.all([sop.refetch(), requests.refetch()]);
  return <DecisionUnavailable reason={texts.otherVersion({ shown, requested: version })} onRetry={reload} />;
}

/** A frame around related content. Rows in a `Section` need no such frame. */
function Card({ className, ...props }: ComponentProps<"div">) {
  return <div {...props} className={clsx("rounded-lg border border-line bg-bg", className)} />;
}
