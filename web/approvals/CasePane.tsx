import { dayOf, dayStart } from "#core/days.ts";
import { ArrowLeft, MousePointerClick, UserRoundPen } from "lucide-react";
import { use, useReducer, useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { ApiError } from "#core/api/client.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useRead } from "../api.ts";
import { CommentDrafts } from "../comments/drafts.ts";
import { useMe } from "../session.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { StatusMark } from "../ui/StatusBadge.tsx";
import { boundaryText, isPast } from "../ui/time.ts";
import {
  requestOutcomeSentence,
  approvalRuleText,
  unavailableApproversOf,
  type ListedApproval,
} from "./approval-words.ts";
import { RequestTabs } from "./RequestTabs.tsx";
import { DecisionBar, decisionDraftKey } from "./DecisionBar.tsx";
import { DecisionUnavailable } from "./DecisionUnavailable.tsx";
import { ReplaceApproverDialog } from "./ReplaceApproverDialog.tsx";
import { pendingTexts as texts, texts as approvalTexts } from "./texts.ts";
import { RequestTimeline } from "./RequestTimeline.tsx";
import { decisionTexts, type DecisionName } from "./use-decision.ts";
import { useSubmittedTextStatus } from "./use-submitted-text-status.ts";
import { WithdrawButton } from "./WithdrawButton.tsx";
import { listText } from "#core/language/formats.ts";

interface CasePaneProps {
  sopId: string;
  /** The SOP's request in the list of pending ones; absent if it is no longer pending. */
  listed: ListedApproval | undefined;
  /** The text of the link back: 'All pending approvals', or the request's number among those that wait for the user. */
  back: string;
  /** Opens the next case that waits for the user, if there is one. */
  onNext(): void;
}

/** The selected SOP's newest request: the changes to approve, the progress, and the decision. */
export function CasePane({ sopId, listed, back, onNext }: CasePaneProps) {
  const [known, setKnown] = useState(listed);
  if (listed && listed !== known) setKnown(listed);
  const request = listed ?? known;
  const ways = { back: <BackToListLink text={back} />, onNext };
  return request ? (
    <KnownRequestCase key={request.id} request={request} hasEnded={!listed} {...ways} />
  ) : (
    <UnlistedRequestCase sopId={sopId} {...ways} />
  );
}

interface CaseNavigation {
  back: ReactNode;
  onNext(): void;
}

/**
 * Shows a request that was pending when the page opened. Its outcome appears here, even for users who can't see the SOP
 * anymore.
 */
function KnownRequestCase({
  request,
  hasEnded,
  back,
  onNext,
}: { request: ListedApproval; hasEnded: boolean } & CaseNavigation) {
  const [decided, setDecided] = useState<DecisionName | null>(null);
  // If the user lost access to the SOP, reading the SOP's own requests would fail. The list of all requests only lacks
  // this request.
  const all = useRead("approvals", "list", { query: {} }, { enabled: hasEnded });
  const ended = all.data?.find(({ id }) => id === request.id);
  const onDecided = (kind: DecisionName): void => {
    setDecided(kind);
    onNext();
  };
  const isUnclear = hasEnded && all.isFetching;
  if (hasEnded && !isUnclear && !ended) return <HiddenRequestOutcome request={request} decided={decided} back={back} />;
  // The same element is rendered in all states, so that an open dialog and its typed text stay when the request ends.
  const shown = !hasEnded
    ? request
    : (ended ?? { ...request, mayDecide: false, mayWithdraw: false, mayReplace: false });
  return (
    <RequestCase
      request={shown}
      end={hasEnded && ended && !isUnclear ? requestOutcomeSentence(ended) : null}
      back={back}
      onDecided={onDecided}
    />
  );
}

interface HiddenRequestOutcomeProps {
  request: ListedApproval;
  /** The user's own decision. */
  decided: DecisionName | null;
  back: ReactNode;
}

/** Shows only the outcome, to approvers who could read the draft only while the request was pending. */
function HiddenRequestOutcome({
  request: { id, sop, sopId, publishedVersion, effectiveAt },
  decided,
  back,
}: HiddenRequestOutcomeProps) {
  const unsent = use(CommentDrafts).get(decisionDraftKey(id))?.trim();
  // The last approval publishes the SOP now or on its effective date.
  const isApproved = decided === "approve";
  const now = useRead("sops", "get", { params: { id: sopId } }, { enabled: isApproved && !isFutureDay(effectiveAt) });
  const isReadable = isApproved ? now.isSuccess : publishedVersion !== null;
  const result = !isApproved ? texts.outOfSight : now.isSuccess ? texts.published : texts.publishedLater;
  return (
    <div className="grid gap-4 px-4 py-4 sm:px-8 sm:py-6">
      {back}
      <CaseTitle number={sop.number} title={sop.title} to={isReadable ? sopId : null} />
      {decided ? (
        <Alert
          live
          title={decisionTexts[decided]().description}
          actions={
            isReadable && (
              <Button asChild size="sm">
                <Link to={`/sop/${sopId}`}>{texts.read}</Link>
              </Button>
            )
          }
        >
          {isApproved && now.isFetching ? null : result}
        </Alert>
      ) : (
        <Alert live title={texts.ended} />
      )}
      {!decided && unsent && (
        <Alert tone="warning" title={texts.notSent}>
          <p className="break-words whitespace-pre-wrap">{unsent}</p>
        </Alert>
      )}
    </div>
  );
}

/** Shows a request that was opened by its address and is not pending. */
function UnlistedRequestCase({ sopId, back }: { sopId: string } & CaseNavigation) {
  const requests = useRead("approvals", "list", { query: { sopId } });
  const [request] = requests.data ?? [];
  if (request)
    return <RequestCase request={request} end={requestOutcomeSentence(request)} back={back} onDecided={() => {}} />;
  return (
    <div className="grid gap-4 px-4 py-4 sm:px-8 sm:py-6">
      {back}
      {requests.data || areRequestsUnavailable(requests.error) ? (
        <EmptyState title={texts.select} icon={<MousePointerClick />} />
      ) : requests.isError ? (
        <ErrorState title={approvalTexts.statusFailed} onRetry={() => void requests.refetch()} />
      ) : (
        <PageSpinner label={approvalTexts.loading} />
      )}
    </div>
  );
}

/** Says whether the SOP is missing or hidden from the user (404), or the server has no approvals (501). */
const areRequestsUnavailable = (error: Error | null) =>
  error instanceof ApiError && (error.status === 404 || error.status === 501);

interface RequestCaseProps {
  request: ListedApproval;
  /** The outcome as a sentence; null while the request is pending or its outcome is loading. */
  end: string | null;
  back: ReactNode;
  onDecided(kind: DecisionName): void;
}

function RequestCase({ request, end, back, onDecided }: RequestCaseProps) {
  const { sop, sopId, version, status, requestedBy, requestNote } = request;
  const text = useSubmittedTextStatus(request);
  // A new tab's text can mount before the old tab's unmounts, so this counts the texts on screen.
  const [shown, countShownText] = useReducer(shownTextsAfterChange, { now: 0, wasRead: false });
  const isPending = status === "pending";
  // A decision stays possible while comments are shown instead of the text that the user has read.
  const isRead = shown.now > 0 || (shown.wasRead && !text.hasFailed);
  const missing = text.hasFailed ? (
    <DecisionUnavailable reason={approvalTexts.versionFailed({ version })} onRetry={text.retry} />
  ) : (
    <DecisionUnavailable reason={approvalTexts.versionLoading({ version })} />
  );
  return (
    <>
      <div className="@container min-w-0 flex-1 px-4 pt-4 pb-16 sm:px-8 sm:pt-6">
        {back}
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-x-10 gap-y-8 @2xl:grid-cols-[minmax(0,42.5rem)_12.5rem]">
          <article className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
            <CaseTitle
              number={texts.version({ number: sop.number, version })}
              title={sop.title}
              to={sopId}
              isPending={isPending}
            />
            {end && <Alert live title={end} />}
            {requestNote && (
              <p className="break-words whitespace-pre-wrap">
                <b className="font-medium">{`${printedName(requestedBy)}: `}</b>
                {`“${requestNote}”`}
              </p>
            )}
            {isPending && <RequestTabs request={request} text={text} onShown={countShownText} />}
          </article>
          <RequestProgress request={request} />
        </div>
      </div>
      <DecisionBar approval={request} instead={isRead ? null : missing} onDecided={onDecided} />
    </>
  );
}

/** Counts the texts on screen after one appeared or went, and remembers whether any was shown. */
function shownTextsAfterChange({ now, wasRead }: { now: number; wasRead: boolean }, isMore: boolean) {
  return { now: now + (isMore ? 1 : -1), wasRead: wasRead || isMore };
}

interface CaseTitleProps {
  number: string;
  title: string;
  /** The id of the SOP to link; null if the user can't read it. */
  to: string | null;
  isPending?: boolean;
}

function CaseTitle({ number, title, to, isPending = false }: CaseTitleProps) {
  return (
    <header>
      <p className="flex flex-wrap items-center gap-x-3 text-t2 text-muted">
        {number}
        {isPending && <StatusMark status="under_review" />}
      </p>
      <h2 dir="auto" className="mt-1 text-[1.625rem] leading-8 font-semibold tracking-tight break-words">
        {to === null ? (
          title
        ) : (
          <Link to={`/sop/${to}`} className="hover:underline">
            {title}
          </Link>
        )}
      </h2>
    </header>
  );
}

/** The timeline of a request, with actions other than deciding. */
function RequestProgress({ request }: { request: ListedApproval }) {
  const me = useMe();
  const [replacing, setReplacing] = useState<ListedApproval["approvers"][number] | null>(null);
  const isPending = request.status === "pending";
  const next = useFinalStepText(request);
  const gone = unavailableApproversOf(request);
  return (
    <section aria-label={approvalTexts.heading} className="grid content-start justify-items-start gap-3">
      {isPending && <h3 className="text-sm font-semibold">{approvalRuleText(request)}</h3>}
      {gone.length > 0 && (
        <Alert
          tone="warning"
          title={approvalTexts.unavailable({
            names: listText(gone.map(({ user }) => printedName(user))),
          })}
        >
          {request.mayReplace
            ? approvalTexts.unavailableReplace
            : approvalTexts.unavailableTell({ requester: printedName(request.requestedBy) })}
        </Alert>
      )}
      <RequestTimeline
        approval={request}
        withoutNote
        deciding={request.mayDecide ? me.id : undefined}
        next={isPending ? next : undefined}
        actions={
          isPending && request.mayReplace
            ? (approver) => (
                <Button
                  size="sm"
                  variant="soft"
                  className="-ml-2"
                  aria-label={`${approvalTexts.replace} ${printedName(approver.user)}`}
                  onClick={() => setReplacing(approver)}
                >
                  <UserRoundPen aria-hidden />
                  {approvalTexts.replace}
                </Button>
              )
            : undefined
        }
      />
      {request.mayWithdraw && <WithdrawButton approval={request} />}
      {replacing && (
        <ReplaceApproverDialog approval={request} approver={replacing} onClose={() => setReplacing(null)} />
      )}
    </section>
  );
}

/** Returns the text about what happens after the last approval; undefined while the effective date isn't known. */
function useFinalStepText({ sopId, status, effectiveAt }: ListedApproval): string | undefined {
  const isOfText = effectiveAt === undefined && status === "pending";
  const sop = useRead("sops", "get", { params: { id: sopId } }, { enabled: isOfText });
  if (isOfText && !sop.data) return undefined;
  const day = effectiveAt === undefined ? sop.data?.control.effective : effectiveAt;
  return isFutureDay(day) ? approvalTexts.publishedOn({ day: boundaryText(day) }) : approvalTexts.published;
}

const isFutureDay = (day: string | null | undefined): day is string =>
  typeof day === "string" && !isPast(dayStart(dayOf(day)));

/** A link back to the list, because the request replaces the list on a small screen. */
function BackToListLink({ text }: { text: string }) {
  const [params] = useSearchParams();
  const search = params.get("search");
  return (
    <Link
      to={search ? `/pending?${new URLSearchParams({ search })}` : "/pending"}
      replace
      className="-mt-2 mb-2 inline-flex min-h-11 w-fit items-center gap-2 text-sm text-muted hover:text-text hover:underline lg:hidden"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {text}
    </Link>
  );
}
