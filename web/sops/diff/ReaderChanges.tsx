/** Lists the changes that readers will see, without the unchanged text around them. */
import "./diff.css";
import "../../editor/alerts.css";
import { clsx } from "clsx";
import { useMemo } from "react";
import { Link } from "react-router-dom";
import { catalog } from "#core/language/catalog.ts";
import type { SopDiff } from "#core/diff/schema.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { ErrorState } from "../../ui/EmptyState.tsx";
import { LoadingMessage } from "../../ui/LoadingMessage.tsx";
import { MountObserver } from "../../ui/MountObserver.tsx";
import { comparePath } from "../history/version-texts.ts";
import { textAttributesOf, directionOfNewerText } from "../direction.ts";
import { Article } from "../view/Article.tsx";
import { namedChanges } from "./change-names.ts";
import { DiffHtml } from "./DiffBlocks.tsx";
import { diffTexts } from "./diff-texts.ts";
import { FactChange } from "./FactChange.tsx";

const texts = catalog("sops.diff.reader-changes", {
  heading: "What changes for readers",
  first: "Readers see this SOP for the first time.",
  again: "Readers see this SOP again. They last saw version {version}.",
  compare: "Compare with version {version}",
  nothing: "The text is the same.",
  more: "And {count, number} more {count, plural, one {change} other {changes}}.",
});

/** The maximum number of changes listed. More changes than this are easier to read in the whole text. */
const changesListedAtMost = 8;

const edges = {
  added: "border-success",
  removed: "border-destructive border-dashed",
  changed: "border-primary",
  moved: "border-accent",
} as const;

interface ReaderChangesProps {
  sop: Sop;
  /** Called with true when the changes appear on screen and with false when they go. */
  onShown?: ((isShown: boolean) => void) | undefined;
}

/**
 * Compares the SOP with the published version, or else with the last one that was published. Shows the whole text if
 * there is no such version.
 */
export function ReaderChanges({ sop, onShown }: ReaderChangesProps) {
  const last = sop.published ? null : sop.control.lastInForce;
  const from = sop.published?.version ?? last;
  const isCompared = from !== null && from !== sop.version;
  return (
    <section aria-labelledby="reader-changes" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="reader-changes" className="font-semibold">
          {texts.heading}
        </h2>
        {isCompared && (
          <Link
            to={comparePath(sop.id, from, sop.version)}
            target="_blank"
            className="inline-flex min-h-6 items-center text-sm text-primary hover:underline pointer-coarse:min-h-11"
          >
            {texts.compare({ version: from })}
          </Link>
        )}
      </div>
      {from === null && <p className="text-muted">{texts.first}</p>}
      {last !== null && <p className="text-muted">{texts.again({ version: last })}</p>}
      {isCompared ? (
        <VersionChanges sopId={sop.id} from={from} to={sop.version} onShown={onShown} />
      ) : (
        <div className="max-h-64 overflow-auto rounded-md border border-line px-4 py-3">
          <p {...textAttributesOf(sop)} className="mb-3 text-muted">
            {sop.description}
          </p>
          <Article html={sop.content} {...textAttributesOf(sop)} />
          {onShown && <MountObserver onChange={onShown} />}
        </div>
      )}
    </section>
  );
}

function VersionChanges({
  sopId,
  from,
  to,
  onShown,
}: { sopId: string; from: number; to: number } & Pick<ReaderChangesProps, "onShown">) {
  const diff = useRead("sops", "diff", { params: { id: sopId }, query: { from, to } }, { still: true });
  if (diff.data) return <ChangeList key={to} diff={diff.data} onShown={onShown} />;
  if (diff.isError) return <ErrorState title={diffTexts.failed} onRetry={() => void diff.refetch()} />;
  return <LoadingMessage>{diffTexts.loading}</LoadingMessage>;
}

function ChangeList({
  diff: { blocks, facts, markdown },
  onShown,
}: { diff: SopDiff } & Pick<ReaderChangesProps, "onShown">) {
  const changes = useMemo(() => namedChanges(blocks), [blocks]);
  const dir = useMemo(() => directionOfNewerText(markdown), [markdown]);
  const more = changes.length - changesListedAtMost;
  return (
    <div className="diff grid grid-cols-[minmax(0,1fr)] gap-3">
      {facts.map((fact) => (
        <FactChange key={fact.field} {...fact} />
      ))}
      {changes.slice(0, changesListedAtMost).map(({ name, kind, html }, index) => (
        <div key={index} dir={dir} className={clsx("min-w-0 border-s-3 ps-3", edges[kind])}>
          <p className="text-t2 text-muted">{name}</p>
          <div className="max-h-48 overflow-auto">
            <DiffHtml html={html} marks={kind === "changed"} />
          </div>
        </div>
      ))}
      {more > 0 && <p className="text-sm text-muted">{texts.more({ count: more })}</p>}
      {changes.length === 0 && facts.length === 0 && <p className="text-muted">{texts.nothing}</p>}
      {onShown && <MountObserver onChange={onShown} />}
    </div>
  );
}
