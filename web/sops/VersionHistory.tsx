import { History, RotateCcw } from "lucide-react";
import { useState, type ReactNode } from "react";
import { ApiError } from "#core/contract/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead, useWrite, type Output } from "../api.ts";
import { useMay } from "../session.tsx";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { dateTimeText } from "../ui/time.ts";
import { useToast } from "../ui/Toast.tsx";
import { historyTexts as texts } from "./edit-texts.ts";

type Row = Output<"sops", "versions">[number];

interface VersionHistoryProps {
  sop: Sop;
  /** Restoring would replace what is being typed: asks first. */
  unsaved?: boolean;
  onRestored(sop: Sop): void;
}

/** The button and its dialog; without version control (501) there is no button (seed §7). */
export function VersionHistory({ sop, unsaved = false, onRestored }: VersionHistoryProps) {
  const [open, setOpen] = useState(false);
  const versions = useRead("sops", "versions", { params: { id: sop.id } });
  const [asked, setAsked] = useState<number | null>(null);
  const restoring = useRestore(sop, (restored) => {
    setAsked(null);
    setOpen(false);
    onRestored(restored);
  });
  if (versions.error instanceof ApiError && versions.error.status === 501) return null;

  const askOrRestore = (version: number): void => {
    if (unsaved) setAsked(version);
    else restoring.restore(version);
  };

  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <History aria-hidden />
        {texts.title}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={texts.title} description={texts.description}>
        <VersionList
          rows={versions.data}
          failed={versions.isError ? () => void versions.refetch() : null}
          restoring={restoring.version}
          onRestore={askOrRestore}
          sop={sop}
        />
      </Dialog>
      <AlertDialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title={texts.confirmTitle}
        description={texts.confirmText}
        confirm={texts.restore}
        busy={restoring.version !== null}
        onConfirm={() => asked !== null && restoring.restore(asked)}
      />
    </>
  );
}

function useRestore(sop: Sop, onRestored: (sop: Sop) => void) {
  const toast = useToast();
  const write = useWrite("sops", "restore");
  const restore = (version: number): void => {
    if (write.isPending) return;
    write.mutate(
      { params: { id: sop.id, version } },
      {
        onSuccess: (restored) => {
          toast({ title: texts.restored, description: texts.restoredText });
          onRestored(restored);
        },
        onError: () => toast({ title: texts.error, description: texts.restoreFailed, variant: "destructive" }),
      },
    );
  };
  return { restore, version: write.isPending ? (write.variables.params.version as number) : null };
}

interface VersionListProps {
  rows: readonly Row[] | undefined;
  failed: (() => void) | null;
  restoring: number | null;
  onRestore(version: number): void;
  sop: Sop;
}

function VersionList({ rows, failed, restoring, onRestore, sop }: VersionListProps) {
  const may = useMay();
  if (failed) return <ErrorState title={texts.failed} onRetry={failed} />;
  if (!rows) return <Waiting>{texts.loading}</Waiting>;
  return (
    <ol className="grid gap-px overflow-hidden rounded-md border border-line bg-line">
      {rows.map((row) => (
        <li
          key={row.version}
          className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 bg-surface px-3.5 py-3"
        >
          <VersionFacts row={row} />
          {!row.isCurrent && may("sop.restore", sop) && (
            <Button
              size="sm"
              busy={restoring === row.version}
              aria-label={`${texts.restore} version ${row.version}`}
              onClick={() => onRestore(row.version)}
            >
              <RotateCcw aria-hidden />
              {texts.restore}
            </Button>
          )}
        </li>
      ))}
    </ol>
  );
}

function VersionFacts({ row }: { row: Row }) {
  return (
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-mono text-xs font-medium">v{row.version}</span>
        {row.isCurrent && <Badge tone="primary">{texts.current}</Badge>}
        {row.isInForce && <Badge tone="success">{texts.inForce}</Badge>}
        <span className="min-w-0 truncate font-medium">{row.title}</span>
      </p>
      {row.changeNote && <p className="mt-1 break-words">{row.changeNote}</p>}
      <p className="mt-1 text-xs text-muted">
        {row.changedBy.name}, <time dateTime={row.createdAt}>{dateTimeText(row.createdAt)}</time>
        {row.restores !== null && ` · restored from v${row.restores}`}
        {row.commit && (
          <>
            {" · "}
            <span className="font-mono" title={row.commit}>
              {row.commit.slice(0, 8)}
            </span>
          </>
        )}
      </p>
    </div>
  );
}

export function Waiting({ children }: { children: ReactNode }) {
  return (
    <output className="flex items-center justify-center gap-2 py-12 text-muted">
      <Spinner />
      {children}
    </output>
  );
}
