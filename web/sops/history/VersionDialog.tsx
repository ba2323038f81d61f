import { GitCompareArrows, RotateCcw } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { PublishedPeriod } from "#core/diff/schema.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead, useWrite, type Output } from "../../api.ts";
import { useMay } from "../../session.tsx";
import { AlertDialog } from "../../ui/AlertDialog.tsx";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { ErrorState } from "../../ui/EmptyState.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { LoadingMessage } from "../../ui/LoadingMessage.tsx";
import { historyTexts as texts } from "./history-texts.ts";
import { PublishedOn } from "./PublishedOn.tsx";
import { comparePath } from "./version-texts.ts";
import { VersionFacts } from "./VersionFacts.tsx";
import { titleTexts } from "./history-title.ts";

interface VersionGroup {
  /** The newest version of the group. */
  row: ListedVersion;
  /** Automatic saves in the hour before it, newest first. */
  folded: ListedVersion[];
}

const hourMs = 3_600_000;

type ListedVersion = Output<"sops", "versions">[number];

interface VersionDialogProps {
  sop: Sop;
  rows: readonly ListedVersion[] | undefined;
  /** Reads the list again after a failure; null if the list could be read. */
  failed: (() => void) | null;
  unsaved: boolean;
  open: boolean;
  onOpenChange(open: boolean): void;
  /** @param isUndo whether the user pressed Undo; then text that was typed since the restore stays */
  onRestored(sop: Sop, isUndo?: boolean): void;
}

export function VersionDialog({ sop, rows, failed, unsaved, open, onOpenChange, onRestored }: VersionDialogProps) {
  const [versionToRestore, setVersionToRestore] = useState<number | null>(null);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const restoring = useRestore(sop, currentVersionNumberOf(rows), (restored, isUndo) => {
    if (!isUndo) {
      setVersionToRestore(null);
      onOpenChange(false);
    }
    onRestored(restored, isUndo);
  });
  const askOrRestore = (version: number): void => {
    // Undo brings back neither unsaved text nor a request, so the dialog asks first.
    if (unsaved || sop.status === "under_review") setVersionToRestore(version);
    else restoring.restore(version);
  };
  /** Chooses a version to compare. At most two can be chosen, so a third version replaces the first. */
  const chooseVersion = (version: number): void =>
    setChosen(chosen.includes(version) ? chosen.filter((one) => one !== version) : [...chosen, version].slice(-2));

  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        size="wide"
        title={titleTexts.title}
        description={texts.description}
        {...(rows && rows.length > 1 && { footer: <CompareButton sop={sop} chosen={chosen} /> })}
      >
        {failed && <ErrorState title={texts.failed} onRetry={failed} />}
        {!failed && !rows && <LoadingMessage>{texts.loading}</LoadingMessage>}
        {!failed && rows && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <PublishedOn sop={sop} />
            <VersionList
              sop={sop}
              rows={rows}
              chosen={chosen}
              onChoose={chooseVersion}
              restoring={restoring.version}
              onRestore={askOrRestore}
            />
          </div>
        )}
      </Dialog>
      <AlertDialog
        open={versionToRestore !== null}
        onOpenChange={() => setVersionToRestore(null)}
        title={texts.confirmTitle}
        description={unsaved ? texts.confirmText : texts.confirmReview}
        confirm={texts.restore}
        busy={restoring.version !== null}
        onConfirm={() => versionToRestore !== null && restoring.restore(versionToRestore)}
      />
    </>
  );
}

/**
 * @param current the latest version in the list; if the server has a newer version, it refuses to restore, so that no
 * version is replaced unseen
 */
function useRestore(sop: Sop, current: number | undefined, onRestored: (sop: Sop, isUndo?: boolean) => void) {
  const toast = useToast();
  const write = useWrite("sops", "restore");
  // The dialog is closed when the user presses Undo, so its callbacks no longer run and the promise is awaited.
  const undo = async (restored: Sop): Promise<void> => {
    if (current === undefined) return;
    try {
      const params = { id: sop.id, version: current };
      onRestored(await write.mutateAsync({ params, ifMatch: restored.version }), true);
      toast({ title: texts.undone({ version: current }) });
    } catch {
      toast({ title: texts.error, description: texts.restoreFailed, variant: "destructive" });
    }
  };
  const restore = (version: number): void => {
    if (write.isPending) return;
    write.mutate(
      { params: { id: sop.id, version }, ...(current !== undefined && { ifMatch: current }) },
      {
        onSuccess: (restored) => {
          toast({
            title: texts.restored,
            description: texts.restoredText,
            ...(current !== undefined && { action: { label: texts.undo, onClick: () => void undo(restored) } }),
          });
          onRestored(restored);
        },
        onError: () => toast({ title: texts.error, description: texts.restoreFailed, variant: "destructive" }),
      },
    );
  };
  return { restore, version: write.isPending ? (write.variables.params.version as number) : null };
}

function CompareButton({ sop, chosen }: { sop: Sop; chosen: readonly number[] }) {
  const [from, to] = chosen.toSorted((a, b) => a - b);
  if (from === undefined || to === undefined) return <p className="mr-auto text-muted">{texts.chooseTwo}</p>;
  return (
    <Button asChild variant="primary">
      <Link to={comparePath(sop.id, from, to)}>
        <GitCompareArrows aria-hidden />
        {texts.compareVersionsAnd({ from, to })}
      </Link>
    </Button>
  );
}

interface VersionListProps {
  sop: Sop;
  rows: readonly ListedVersion[];
  chosen: readonly number[];
  onChoose(version: number): void;
  restoring: number | null;
  onRestore(version: number): void;
}

function VersionList({ sop, rows, chosen, onChoose, restoring, onRestore }: VersionListProps) {
  const may = useMay();
  const periods = useRead("sops", "publishedPeriods", { params: { id: sop.id } });
  const current = currentVersionNumberOf(rows);
  const several = rows.length > 1;
  const isPublished = (version: number) => periodsOfVersion(periods.data, version).length > 0;
  const versionRow = (row: ListedVersion) => (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
      {several && (
        <Checkbox
          label={<span className="sr-only">{texts.chooseVersionToCompare({ version: row.version })}</span>}
          checked={chosen.includes(row.version)}
          onChange={() => onChoose(row.version)}
          className="-mr-2.5 -ml-1 px-1"
        />
      )}
      <VersionFacts row={row} title={sop.title} periods={periodsOfVersion(periods.data, row.version)} />
      {!row.isCurrent && (
        <div className="flex flex-wrap gap-2">
          {current !== undefined && (
            <Button asChild size="sm">
              <Link
                to={comparePath(sop.id, row.version, current)}
                aria-label={texts.compareVersionWithCurrent({ version: row.version })}
              >
                <GitCompareArrows aria-hidden />
                {texts.compareWithCurrent}
              </Link>
            </Button>
          )}
          {may("sop.restore", sop) && (
            <Button
              size="sm"
              busy={restoring === row.version}
              aria-label={texts.restoreVersion({ version: row.version })}
              onClick={() => onRestore(row.version)}
            >
              <RotateCcw aria-hidden />
              {texts.restore}
            </Button>
          )}
        </div>
      )}
    </div>
  );
  return (
    <ol className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line border-t border-line">
      {foldVersions(rows, isPublished).map(({ row, folded }) => (
        <li key={row.version}>
          {versionRow(row)}
          {folded.length > 0 && (
            <details className="pb-3 text-sm">
              <summary className="w-fit py-1 text-muted pointer-coarse:py-3">
                {texts.folded({ count: folded.length })}
              </summary>
              <ol className="mt-1 divide-y divide-line border-y border-line">
                {folded.map((older) => (
                  <li key={older.version}>{versionRow(older)}</li>
                ))}
              </ol>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

function currentVersionNumberOf(rows: readonly ListedVersion[] | undefined): number | undefined {
  return rows?.find(({ isCurrent }) => isCurrent)?.version;
}

function periodsOfVersion(periods: readonly PublishedPeriod[] | undefined, version: number): PublishedPeriod[] {
  return (periods ?? []).filter((period) => period.version === version);
}

/**
 * Folds automatic saves: those of one hour become one row. The versions themselves stay unchanged.
 * @param rows versions, newest first
 * @param wasPublished whether a version was published; such a version keeps its own row
 */
function foldVersions(rows: readonly ListedVersion[], wasPublished: (version: number) => boolean): VersionGroup[] {
  const groups: VersionGroup[] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group && canBeFolded(group.row, row) && !wasPublished(row.version)) group.folded.push(row);
    else groups.push({ row, folded: [] });
  }
  return groups;
}

function canBeFolded(newest: ListedVersion, row: ListedVersion): boolean {
  const areOfPauses = newest.automatic === true && row.automatic === true;
  const isPlain = !row.isCurrent && !row.isInForce && row.approvedBy.length === 0;
  const isSameHour = Date.parse(newest.createdAt) - Date.parse(row.createdAt) <= hourMs;
  return areOfPauses && isPlain && isSameHour && newest.changedBy.id === row.changedBy.id;
}
