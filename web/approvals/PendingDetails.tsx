import { ArrowLeft, BookOpen, MousePointerClick } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { useRead } from "../api.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import type { Approval } from "./approval-words.ts";
import { RequestView } from "./RequestView.tsx";
import { pendingTexts as texts, texts as approvalTexts } from "./texts.ts";
import { ApiError } from "#core/contract/client.ts";

const DiffView = lazy(() => import("../sops/DiffView.tsx").then((module) => ({ default: module.DiffView })));

/** The selected SOP's newest request, and what it changes of what readers have now. */
export function PendingDetails({ sopId }: { sopId: string }) {
  const requests = useRead("approvals", "list", { query: { sopId } });
  const [request] = requests.data ?? [];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <BackToList />
      {request ? (
        <Details request={request} />
      ) : requests.data || isUnknown(requests.error) ? (
        <NothingSelected />
      ) : requests.isError ? (
        <ErrorState title={approvalTexts.statusFailed} onRetry={() => void requests.refetch()} />
      ) : (
        <PageSpinner label={approvalTexts.loading} />
      )}
    </div>
  );
}

const isUnknown = (error: Error | null) => error instanceof ApiError && (error.status === 404 || error.status === 501);

function Details({ request }: { request: Approval }) {
  const { sop, sopId } = request;
  return (
    <>
      <Card className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <p className="font-mono text-xs text-muted">{sop.number}</p>
            <h2 className="text-lg font-semibold break-words">{sop.title}</h2>
          </div>
          <Button asChild size="sm">
            <Link to={`/sop/${sopId}`}>
              <BookOpen aria-hidden />
              {texts.read}
            </Link>
          </Button>
        </div>
        <RequestView key={request.id} approval={request} />
      </Card>
      {request.status === "pending" && (
        <section aria-labelledby="pending-changes">
          <h2 id="pending-changes" className="mb-3 text-lg font-semibold">
            {texts.changes}
          </h2>
          <Changes request={request} />
        </section>
      )}
    </>
  );
}

/** Against what readers have, or had last. */
function Changes({ request: { sopId, version, publishedVersion } }: { request: Approval }) {
  const periods = useRead("sops", "inForce", { params: { id: sopId } }, { enabled: publishedVersion === null });
  const base = publishedVersion ?? periods.data?.find((period) => period.version <= version)?.version;
  if (publishedVersion === null && periods.isPending) return <PageSpinner />;
  if (base === undefined) return <p className="text-muted">{texts.first}</p>;
  return (
    <Suspense fallback={<PageSpinner />}>
      <DiffView sopId={sopId} from={base} to={version} />
    </Suspense>
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
