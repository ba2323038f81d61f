import "../sops/diff/diff.css";
import "../editor/alerts.css";
import { useMemo, useState } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { useRead, useWrite } from "../api.ts";
import { CommentComposer } from "../comments/CommentComposer.tsx";
import { texts as commentTexts } from "../comments/texts.ts";
import { ThreadCard } from "../comments/ThreadCard.tsx";
import { commentThreadsOf } from "../comments/threads.ts";
import { useMay } from "../session.tsx";
import { namedChanges } from "../sops/diff/change-names.ts";
import { DiffBlocks } from "../sops/diff/DiffBlocks.tsx";
import { diffTexts } from "../sops/diff/diff-texts.ts";
import { FactChange } from "../sops/diff/FactChange.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { MountObserver } from "../ui/MountObserver.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { Tabs } from "../ui/Tabs.tsx";
import type { ListedApproval } from "./approval-words.ts";
import { SubmittedText } from "./RequestDiff.tsx";
import { pendingTexts as texts } from "./texts.ts";
import type { useSubmittedTextStatus } from "./use-submitted-text-status.ts";

interface RequestTabsProps {
  request: ListedApproval;
  text: ReturnType<typeof useSubmittedTextStatus>;
  /** Called with true when the text appears on screen and with false when it goes. */
  onShown(isShown: boolean): void;
}

/** The content of a request: its changes for readers, the whole text, and comments. */
export function RequestTabs({ request, text, onShown }: RequestTabsProps) {
  const { sopId, version } = request;
  const params = { id: sopId };
  const [chosen, choose] = useState<string | null>(null);
  const { base } = text;
  const query = { from: base ?? version, to: version };
  const diff = useRead("sops", "diff", { params, query }, { enabled: typeof base === "number", still: true });
  const comments = useRead("comments", "list", { params });
  const threads = useMemo(() => commentThreadsOf(comments.data ?? []).filter(({ isOpen }) => isOpen), [comments.data]);
  const changes = useMemo(
    () => (diff.data ? namedChanges(diff.data.blocks).length + diff.data.facts.length : undefined),
    [diff.data],
  );
  if (base === undefined)
    return text.hasFailed ? <ErrorState title={texts.textFailed({ version })} onRetry={text.retry} /> : <PageSpinner />;
  const whole = {
    value: "whole",
    label: texts.whole,
    content: (
      <>
        {base === null && <p className="mb-4 text-t2 text-muted">{texts.first}</p>}
        <SubmittedText sopId={sopId} version={version} onShown={onShown} />
      </>
    ),
  };
  const changed = {
    value: "changes",
    label: <LabelWithCount label={texts.changes} count={changes} />,
    content: diff.data ? (
      <div className="diff grid grid-cols-[minmax(0,1fr)] gap-4">
        {diff.data.facts.map((fact) => (
          <FactChange key={fact.field} {...fact} />
        ))}
        {changes === 0 ? <p className="text-muted">{diffTexts.noChanges}</p> : <DiffBlocks diff={diff.data} plain />}
        <MountObserver onChange={onShown} />
      </div>
    ) : diff.isError && !diff.isFetching ? (
      <ErrorState title={diffTexts.failed} onRetry={() => void diff.refetch()} />
    ) : (
      <PageSpinner />
    ),
  };
  const said = {
    value: "comments",
    label: <LabelWithCount label={texts.comments} count={comments.data && threads.length} />,
    content: comments.isError ? (
      <ErrorState title={texts.commentsFailed} onRetry={() => void comments.refetch()} />
    ) : (
      <CaseComments sopId={sopId} threads={threads} onShow={() => choose("whole")} />
    ),
  };
  const tabs = base === null ? [whole, said] : [changed, whole, said];
  return <Tabs label={texts.tabs} value={chosen ?? tabs[0]?.value ?? "whole"} onValueChange={choose} tabs={tabs} />;
}

function LabelWithCount({ label, count }: { label: string; count: number | undefined }) {
  return (
    <>
      {`${label} `}
      {count !== undefined && count > 0 && <span className="text-t1 font-normal text-muted tabular-nums">{count}</span>}
    </>
  );
}

interface CaseCommentsProps {
  sopId: string;
  threads: ReturnType<typeof commentThreadsOf>;
  /** Shows the text that a comment is about. */
  onShow(): void;
}

function CaseComments({ sopId, threads, onShow }: CaseCommentsProps) {
  const sop = useRead("sops", "get", { params: { id: sopId } });
  const may = useMay();
  if (sop.isError && !sop.data) return <ErrorState title={texts.commentsFailed} onRetry={() => void sop.refetch()} />;
  if (!sop.data) return <PageSpinner />;
  const mayComment = may("sop.comment", sop.data);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {threads.length === 0 && <p className="text-muted">{texts.noComments}</p>}
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-3 empty:hidden">
        {threads.map((thread) => (
          <ThreadCard
            key={thread.id}
            sop={sop.data}
            thread={thread}
            active={false}
            mayReply={mayComment}
            onShow={onShow}
            onLostFocus={() => {}}
          />
        ))}
      </ol>
      {mayComment && <NewCaseComment sop={sop.data} />}
    </div>
  );
}

function NewCaseComment({ sop }: { sop: Sop }) {
  const create = useWrite("comments", "create");
  return (
    <CommentComposer
      sopId={sop.id}
      draft={`new ${sop.id}`}
      label={commentTexts.newLabel}
      placeholder={commentTexts.newPlaceholder}
      send={commentTexts.send}
      onSend={(content) => create.mutateAsync({ params: { id: sop.id }, body: { content, version: sop.version } })}
    />
  );
}
