import { ArrowLeft, BookOpen, MousePointerClick } from "lucide-react";
import { useReducer, useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { useRead } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { endSentence, type Approval } from "./approval-words.ts";
import { DecisionUnavailable } from "./DecisionUnavailable.tsx";
import { RequestDiff } from "./RequestDiff.tsx";
import { RequestView } from "./RequestView.tsx";
import { pendingTexts as texts, texts as approvalTexts } from "./texts.ts";
import { decisionTexts, type Decision } from "./use-decision.ts";
import { useVersionText } from "./use-version-text.ts";
import { ApiError } from "#core/contract/client.ts";

interface PendingDetailsProps {
  sopId: string;
  /** The request of the list; absent if it is no longer pending. */
  listed: Approval | undefined;
}

/** The selected SOP's newest request, and what it changes of what readers have now. */
export function PendingDetails({ sopId, listed }: PendingDetailsProps) {
  const [known, setKnown] = useState(listed);
  if (listed && listed !== known) setKnown(listed);
  const request = listed ?? known;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <BackToList />
      {request ? <Known key={request.id} request={request} hasEnded={!listed} /> : <Unlisted sopId={sopId} />}
    </div>
  );
}

/** The request was pending when the page opened. Its end is shown here, also to users who can't see it anymore. */
function Known({ request, hasEnded }: { request: Approval; hasEnded: boolean }) {
  const [decided, setDecided] = useState<Decision | null>(null);
  // of all requests, not of this SOP: what went out of sight is missing there, and no failure
  const all = useRead("approvals", "list", { query: {} }, { enabled: hasEnded });
  const ended = all.data?.find(({ id }) => id === request.id);
  if (!hasEnded) return <Details request={request} onDecided={setDecided} />;
  if (all.isFetching)
    return <Details request={{ ...request, mayDecide: false, mayWithdraw: false, mayReplace: false }} />;
  if (ended) return <Details request={ended} end={endSentence(ended)} />;
  return <OutOfSight request={request} decided={decided} />;
}

interface OutOfSightProps {
  request: Approval;
  /** By who looks at it. */
  decided: Decision | null;
}

/** Approvers who could read the draft only because of the request see only how it ended. */
function OutOfSight({ request: { sop, sopId, publishedVersion }, decided }: OutOfSightProps) {
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <Title number={sop.number} title={sop.title}>
        {publishedVersion !== null && <Read sopId={sopId} />}
      </Title>
      {decided ? (
        <Alert live title={decisionTexts[decided].description}>
          {texts.outOfSight}
        </Alert>
      ) : (
        <Alert live title={texts.ended} />
      )}
    </Card>
  );
}

/** Opened by its address, and not pending. */
function Unlisted({ sopId }: { sopId: string }) {
  const requests = useRead("approvals", "list", { query: { sopId } });
  const [request] = requests.data ?? [];
  if (request) return <Details request={request} end={endSentence(request)} />;
  if (requests.data || isUnknown(requests.error)) return <NothingSelected />;
  if (requests.isError)
    return <ErrorState title={approvalTexts.statusFailed} onRetry={() => void requests.refetch()} />;
  return <PageSpinner label={approvalTexts.loading} />;
}

const isUnknown = (error: Error | null) => error instanceof ApiError && (error.status === 404 || error.status === 501);

interface DetailsProps {
  request: Approval;
  end?: string | null;
  onDecided?: (kind: Decision) => void;
}

function Details({ request, end = null, onDecided }: DetailsProps) {
  const { sop, sopId, version } = request;
  const text = useVersionText(request);
  // one tab may come before the other is gone
  const [shown, tellShown] = useReducer((count: number, isMore: boolean) => count + (isMore ? 1 : -1), 0);
  const missing = text.hasFailed ? (
    <DecisionUnavailable reason={approvalTexts.versionFailed(version)} onRetry={text.retry} />
  ) : (
    <DecisionUnavailable reason={approvalTexts.versionLoading(version)} />
  );
  return (
    <>
      <Card className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <Title number={sop.number} title={sop.title}>
          <Read sopId={sopId} />
        </Title>
        {end && <Alert live title={end} />}
        <RequestView key={request.id} approval={request} instead={shown > 0 ? null : missing} onDecided={onDecided} />
      </Card>
      {request.status === "pending" && (
        <section aria-labelledby="pending-changes">
          <h2 id="pending-changes" className="mb-3 text-lg font-semibold">
            {texts.changes}
          </h2>
          <RequestDiff request={request} text={text} onShown={tellShown} />
        </section>
      )}
    </>
  );
}

function Title({ number, title, children }: { number: string; title: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0">
        <p className="font-mono text-xs text-muted">{number}</p>
        <h2 className="text-lg font-semibold">{title}</h2>
      </div>
      {children}
    </div>
  );
}

function Read({ sopId }: { sopId: string }) {
  return (
    <Button asChild size="sm">
      <Link to={`/sop/${sopId}`}>
        <BookOpen aria-hidden />
        {texts.read}
      </Link>
    </Button>
  );
}

function NothingSelected() {
  return <EmptyState title={texts.select} icon={<MousePointerClick />} />;
}

/** Where the details stand in place of the list. */
function BackToList() {
  const [params] = useSearchParams();
  const search = params.get("search");
  return (
    <Link
      to={search ? `/pending?${new URLSearchParams({ search })}` : "/pending"}
      replace
      className="inline-flex min-h-6 w-fit items-center gap-1.5 text-muted hover:text-text hover:underline lg:hidden"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {texts.back}
    </Link>
  );
}
