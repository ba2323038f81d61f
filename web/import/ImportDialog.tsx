import { useQueryClient } from "@tanstack/react-query";
import { FolderOpen } from "lucide-react";
import { useEffect, useRef, useState, type ChangeEvent } from "react";
import { clsx } from "clsx";
import { errorMessageOf, refreshQueries, useClient } from "../api.ts";
import { useMay } from "../session.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Select } from "../ui/Select.tsx";
import { useDropArea } from "./dropped.ts";
import { ImportPlanList } from "./ImportPlanList.tsx";
import { ImportOptions } from "./ImportOptions.tsx";
import {
  applyImport,
  limitProblemOf,
  planImport,
  convertSources,
  type ConvertedImport,
  type FolderUse,
  type OnConflict,
  type ImportPlan,
  type ImportRow,
  isToBeImported,
} from "./run-import.ts";
import { readDroppedSources, zipChosenFolder, type ImportSource } from "./sources.ts";
import { conflictTexts, texts } from "./texts.ts";
import { selectOptionsOf } from "../ui/options.ts";

interface ImportDialogProps {
  /** Files dropped on the page. The dialog converts and plans these files as soon as it opens. */
  dropped?: readonly FileSystemEntry[];
  onClose(): void;
}

/** Imports files: chooses them, shows the plan, then creates drafts. Mounted only while open. */
export function ImportDialog({ dropped = [], onClose }: ImportDialogProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const may = useMay();
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const [sources, setSources] = useState<readonly ImportSource[]>([]);
  const [plan, setPlan] = useState<ImportPlan | null>(null);
  const [done, setDone] = useState<readonly ImportRow[] | null>(null);
  const [onConflict, setOnConflict] = useState<OnConflict>("skip");
  const [progress, setProgress] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const runImport = async (work: () => Promise<void>) => {
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(errorMessageOf(error, texts.failed));
    } finally {
      setProgress(null);
    }
  };
  const planConverted = async (read: ConvertedImport, foldersAs: FolderUse) =>
    setPlan(await planImport(client, read, { foldersAs, createCategories: may("category.write") }, setProgress));
  const convertAndPlan = (find: () => Promise<readonly ImportSource[]>) =>
    runImport(async () => {
      setProgress(texts.readingFiles);
      const found = await find();
      setSources(found);
      if (found.length > 0) await planConverted(await convertSources(found, "none", setProgress), "nothing");
    });
  const chooseFiles = (
    event: ChangeEvent<HTMLInputElement>,
    read: (files: readonly File[]) => Promise<readonly ImportSource[]>,
  ) => {
    const files = [...(event.target.files ?? [])];
    // An empty value lets the user choose the same files again.
    event.target.value = "";
    void convertAndPlan(() => read(files));
  };
  const { isOver, area } = useDropArea((entries) => {
    if (!busy) void convertAndPlan(() => readDroppedSources(entries));
  });
  useEffect(() => {
    if (dropped.length > 0) void convertAndPlan(() => readDroppedSources(dropped));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once, for the files whose drop opened the dialog
  }, []);
  const applyPlan = (made: ImportPlan) =>
    runImport(async () => {
      try {
        setDone(await applyImport(client, made, onConflict, setProgress));
      } finally {
        await refreshQueries(queryClient, ["sops", "categories", "stats"]);
      }
    });
  const startOver = () => {
    setPlan(null);
    setFailure(null);
  };

  const rows = done ?? plan?.rows ?? [];
  const conflicts = rows.filter(({ outcome }) => outcome === "conflict").length;
  const toImport = rows.filter((row) => isToBeImported(row, onConflict)).length;
  const tooMuch = plan && !done ? limitProblemOf(plan, onConflict) : null;
  const busy = progress !== null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={texts.title}
      description={texts.hint}
      footer={
        done ? (
          <Button variant="primary" onClick={onClose}>
            {texts.close}
          </Button>
        ) : plan ? (
          <>
            <Button onClick={startOver} disabled={busy}>
              {texts.back}
            </Button>
            <Button
              variant="primary"
              busy={busy}
              disabled={toImport === 0 || tooMuch !== null}
              onClick={() => void applyPlan(plan)}
            >
              {texts.importAll({ count: toImport })}
            </Button>
          </>
        ) : (
          <Button onClick={onClose} disabled={busy}>
            {texts.cancel}
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        {failure !== null && (
          <Alert tone="destructive" live>
            {failure}
          </Alert>
        )}
        {tooMuch !== null && (
          <Alert tone="destructive" live>
            {tooMuch}
          </Alert>
        )}
        {done && (
          <Alert tone="success" live>
            {texts.done({ count: rows.filter((row) => isToBeImported(row, "skip")).length })}
          </Alert>
        )}
        {!plan && (
          <div
            {...area}
            className={clsx(
              "grid justify-items-center gap-3 rounded-md border border-dashed border-control px-4 py-8 text-center text-sm",
              isOver && "bg-primary-soft",
            )}
          >
            <FolderOpen aria-hidden className="size-6" />
            <p>{texts.drop}</p>
            <div className="flex flex-wrap justify-center gap-2">
              <Button disabled={busy} onClick={() => fileInput.current?.click()}>
                {texts.chooseFiles}
              </Button>
              <Button disabled={busy} onClick={() => folderInput.current?.click()}>
                {texts.chooseFolder}
              </Button>
            </div>
            <input
              ref={fileInput}
              type="file"
              multiple
              accept=".md,.mdx,.markdown,.docx,.html,.htm,.zip"
              aria-label={texts.choose}
              tabIndex={-1}
              className="hidden"
              onChange={(event) =>
                chooseFiles(event, (files) => Promise.resolve(files.map((file) => ({ file, isFolder: false }))))
              }
            />
            <input
              ref={folderInput}
              type="file"
              {...{ webkitdirectory: "" }}
              aria-label={texts.folder}
              tabIndex={-1}
              className="hidden"
              onChange={(event) => chooseFiles(event, zipChosenFolder)}
            />
          </div>
        )}
        {plan && !done && (
          <ImportOptions
            plan={plan}
            busy={busy}
            onFolders={(foldersAs) => void runImport(() => planConverted(plan, foldersAs))}
            onSplit={(split) =>
              void runImport(async () =>
                planConverted(await convertSources(sources, split, setProgress), plan.foldersAs),
              )
            }
          />
        )}
        {plan && !done && conflicts > 0 && (
          <Field label={texts.onConflict}>
            {(control) => (
              <Select
                {...control}
                options={selectOptionsOf(conflictTexts)}
                value={onConflict}
                disabled={busy}
                onChange={(event) => setOnConflict(event.target.value as OnConflict)}
              />
            )}
          </Field>
        )}
        {plan && !done && toImport === 0 && conflicts === 0 && <p className="text-sm text-muted">{texts.nothing}</p>}
        <output className="text-sm text-muted empty:hidden">{progress}</output>
        {rows.length > 0 && <ImportPlanList rows={rows} isDone={done !== null} />}
      </div>
    </Dialog>
  );
}
