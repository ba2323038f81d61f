import { GitPullRequest } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { ApiError } from "#core/api/client.ts";
import type { Proposal } from "#core/proposals/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useRead } from "../api.ts";
import { PageHeading } from "../shell/PageHeading.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Breadcrumb } from "../ui/Breadcrumb.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { LoadingMessage } from "../ui/LoadingMessage.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { dateText } from "../ui/time.ts";
import { stateLabels, texts } from "./texts.ts";

const ProposalReview = lazyPart(
  () => import("./ProposalReview.tsx").then((module) => module.ProposalReview),
  () => <PageSpinner />,
);

/** /proposals/:id shows a proposal by its number or id. */
export function ProposalPage() {
  const { id = "" } = useParams();
  const { data, error, refetch } = useRead("proposals", "get", { params: { id } });
  if (error instanceof ApiError && error.status === 404) {
    return <EmptyState icon={<GitPullRequest />} title={texts.notFound} hint={texts.notFoundHint} />;
  }
  if (data) return <ProposalView proposal={data} />;
  if (error) return <ErrorState title={texts.failedOne} onRetry={() => void refetch()} />;
  return <LoadingMessage>{texts.loadingOne}</LoadingMessage>;
}

function ProposalView({ proposal }: { proposal: Proposal }) {
  const { number, state, title, comment, current } = proposal;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Breadcrumb items={[{ label: texts.title, to: "/proposals" }, { label: texts.one({ number }) }]} />
      <PageHeading
        title={title}
        badge={<Badge tone={state === "open" ? "warning" : "neutral"}>{stateLabels[state]}</Badge>}
        subtitle={<ProposalFacts proposal={proposal} />}
      />
      <ProposalOutcome proposal={proposal} />
      {comment && (
        <p dir="auto" className="border-s-3 border-line ps-3 break-words whitespace-pre-line text-muted">
          {comment}
        </p>
      )}
      {/* A new version needs a new comparison. */}
      <ProposalReview key={`${state} ${current?.version}`} proposal={proposal} />
    </div>
  );
}

function ProposalFacts({ proposal }: { proposal: Proposal }) {
  const { sop, isNew, author, createdAt, source, baseVersion } = proposal;
  return (
    <>
      {sop ? (
        <Link to={`/sop/${sop.id}`} className="text-primary underline">
          {sop.number}
        </Link>
      ) : isNew ? (
        texts.newSop
      ) : (
        texts.hidden
      )}
      {` · ${texts.by({ name: printedName(author) })} · ${dateText(createdAt)}`}
      {source === "mirror" && ` · ${texts.fromMirror}`}
      {sop && baseVersion !== null && ` · ${basedOnText(baseVersion, sop.version)}`}
    </>
  );
}

/** The outcome of a decided proposal. */
function ProposalOutcome({
  proposal: { state, decidedBy, decidedAt, version, reason, supersededBy },
}: {
  proposal: Proposal;
}) {
  if (state === "open") return null;
  const name = decidedBy ? printedName(decidedBy) : "";
  if (state === "superseded")
    return <p>{supersededBy === null ? texts.supersededByDraft : texts.superseded({ by: supersededBy })}</p>;
  return (
    <div className="grid gap-1">
      <p>
        {state === "accepted" && version === null
          ? texts.archivedBy({ name })
          : texts.ended[state]({ name, version: version ?? "" })}
        {decidedAt && ` · ${dateText(decidedAt)}`}
      </p>
      {reason && (
        <p dir="auto" className="break-words whitespace-pre-line text-muted">
          {reason}
        </p>
      )}
    </div>
  );
}

function basedOnText(base: number, now: number): string {
  return base === now ? texts.basedOnLatest({ base }) : texts.basedOn({ base, now });
}
