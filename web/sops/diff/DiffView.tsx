/** Shows the differences between two versions: facts, the text as readers see it, and the Markdown. */
import "./diff.css";
import { useState, useMemo } from "react";
import { ApiError } from "#core/api/client.ts";
import type { SopDiff, DiffLines } from "#core/diff/schema.ts";
import { useRead } from "../../api.ts";
import { EmptyState, ErrorState } from "../../ui/EmptyState.tsx";
import { MountObserver } from "../../ui/MountObserver.tsx";
import { Tabs } from "../../ui/Tabs.tsx";
import { LoadingMessage } from "../../ui/LoadingMessage.tsx";
import { DiffBlocks } from "./DiffBlocks.tsx";
import { countBlocksByKind, groupLines, type LineGroup } from "./diff-groups.ts";
import { diffTexts as texts, factLabel, factText } from "./diff-texts.ts";
import { clsx } from "clsx";
import { UnfoldVertical } from "lucide-react";
import { Button } from "../../ui/Button.tsx";

const signs = { same: " ", added: "+", removed: "−" } as const;
const words = { same: "", added: `${texts.added}: `, removed: `${texts.removed}: ` } as const;

/** Compares line by line, as in a code review. */
function DiffMarkdown({ parts }: { parts: readonly DiffLines[] }) {
  const groups = useMemo(() => groupLines(parts), [parts]);
  return (
    <div className="overflow-hidden rounded-md bg-paper py-1 font-mono text-t2">
      {groups.map((group, index) => (
        <DiffLineGroup key={index} group={group} />
      ))}
    </div>
  );
}

function DiffLineGroup({ group: { kind, lines, folded } }: { group: LineGroup }) {
  const [open, setOpen] = useState(!folded);
  if (!open) {
    return (
      <Button size="sm" variant="soft" className="my-1 ml-2 font-sans" onClick={() => setOpen(true)}>
        <UnfoldVertical aria-hidden />
        {texts.showUnchangedLines({ count: lines.length })}
      </Button>
    );
  }
  return lines.map((line, index) => (
    <p
      key={index}
      className={clsx(
        "flex gap-2 px-3 break-words whitespace-pre-wrap",
        kind === "added" && "bg-success-soft",
        kind === "removed" && "bg-destructive-soft",
      )}
    >
      <span aria-hidden className="w-3 shrink-0 text-muted select-none">
        {signs[kind]}
      </span>
      <span className="min-w-0">
        {kind !== "same" && <span className="sr-only">{words[kind]}</span>}
        {kind === "removed" && line !== "" ? <s className="decoration-destructive/60">{line}</s> : line || "\u00a0"}
      </span>
    </p>
  ));
}

interface DiffViewProps {
  sopId: string;
  from: number;
  to: number;
  /** Called with true when both texts appear on screen and with false when they go. */
  onShown?: ((isShown: boolean) => void) | undefined;
}

export function DiffView({ sopId, from, to, onShown }: DiffViewProps) {
  const diff = useRead("sops", "diff", { params: { id: sopId }, query: { from, to } }, { still: true });
  if (diff.data) return <SopDiffTabs key={`${from}-${to}`} diff={diff.data} onShown={onShown} />;
  if (diff.error instanceof ApiError && diff.error.status === 404) return <ErrorState title={texts.notFound} />;
  if (diff.isError) return <ErrorState title={texts.failed} onRetry={() => void diff.refetch()} />;
  return <LoadingMessage>{texts.loading}</LoadingMessage>;
}

function SopDiffTabs({ diff, onShown }: { diff: SopDiff } & Pick<DiffViewProps, "onShown">) {
  const [tab, setTab] = useState("text");
  const isSame = diff.blocks.every(({ kind }) => kind === "same") && diff.markdown.every(({ kind }) => kind === "same");
  // The observer is inside the lazy content. If its code can't load, an error is shown there and the observer isn't.
  const observer = onShown && <MountObserver onChange={onShown} />;
  return (
    <div className="diff grid grid-cols-[minmax(0,1fr)] gap-5">
      <p className="text-sm text-muted">{diffSummaryText(diff)}</p>
      {diff.facts.length > 0 && <ChangedFacts diff={diff} />}
      {isSame ? (
        <>
          <EmptyState title={diff.from === diff.to ? texts.sameVersion : texts.noChanges} />
          {observer}
        </>
      ) : (
        <Tabs
          label={texts.tabs}
          value={tab}
          onValueChange={setTab}
          tabs={[
            {
              value: "text",
              label: texts.text,
              content: (
                <>
                  {/* The text's own headings can begin at any level. */}
                  <h2 className="sr-only">{texts.text}</h2>
                  <DiffBlocks diff={diff} />
                  {observer}
                </>
              ),
            },
            {
              value: "markdown",
              label: texts.markdown,
              content: (
                <>
                  <DiffMarkdown parts={diff.markdown} />
                  {observer}
                </>
              ),
            },
          ]}
        />
      )}
    </div>
  );
}

/** Returns 'From version 2 to version 4: 3 blocks changed, 1 added, 1 moved; 2 facts changed.' */
function diffSummaryText({ from, to, facts, blocks }: SopDiff): string {
  const { changed, added, removed, moved } = countBlocksByKind(blocks);
  const parts = (["changed", "added", "removed", "moved"] as const)
    .map((kind) => ({ kind, count: { changed, added, removed, moved }[kind] }))
    .filter(({ count }) => count > 0);
  const inText = parts.map(({ kind, count }, index) => texts[index === 0 ? "firstCounts" : "counts"][kind]({ count }));
  const inFacts = facts.length === 0 ? "" : `; ${texts.factsChanged({ count: facts.length })}`;
  return texts.summary({ from, to, changes: (inText.join(", ") || texts.nothingSeen) + inFacts });
}

function ChangedFacts({ diff: { facts } }: { diff: SopDiff }) {
  return (
    <section aria-label={texts.facts}>
      <h2 className="mb-2 border-b border-line pb-2 text-sm font-semibold">{texts.facts}</h2>
      <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[12rem_minmax(0,1fr)]">
        {facts.map(({ field, from, to }) => (
          <div key={field} className="contents">
            <dt className="text-muted">{factLabel(field)}</dt>
            <dd className="min-w-0 break-words max-sm:mb-1.5">
              <del>
                <span className="sr-only">{texts.startRemoved}</span>
                {factText(from)}
                <span className="sr-only">{texts.end}</span>
              </del>{" "}
              <ins>
                <span className="sr-only">{texts.startAdded}</span>
                {factText(to)}
                <span className="sr-only">{texts.end}</span>
              </ins>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
