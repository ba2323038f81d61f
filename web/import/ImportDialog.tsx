import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { messageOf, refresh, useClient } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Select } from "../ui/Select.tsx";
import { PlanList } from "./PlanList.tsx";
import { applyImport, planImport, limitExceeded, type OnConflict, type Plan, type Row } from "./run-import.ts";
import { conflictOptions, texts } from "./texts.ts";

/** Files → plan → drafts. Mounted while it is open. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [done, setDone] = useState<readonly Row[] | null>(null);
  const [onConflict, setOnConflict] = useState<OnConflict>("skip");
  const [progress, setProgress] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const run = async (act: () => Promise<void>) => {
    setFailure(null);
    try {
      await act();
    } catch (error) {
      setFailure(messageOf(error, texts.failed));
    } finally {
      setProgress(null);
    }
  };
  const makePlan = () => run(async () => setPlan(await planImport(client, files, setProgress)));
  const apply = (made: Plan) =>
    run(async () => {
      try {
        setDone(await applyImport(client, made, onConflict, setProgress));
      } finally {
        await refresh(queryClient, ["sops", "categories", "stats"]);
      }
    });
  const startOver = () => {
    setPlan(null);
    setFailure(null);
  };

  const rows = done ?? plan?.rows ?? [];
  const conflicts = rows.filter(({ outcome }) => outcome === "conflict").length;
  const changes = rows.filter(({ outcome }) => outcome === "create" || outcome === "update").length;
  const toImport = changes + (onConflict === "skip" ? 0 : conflicts);
  const tooMuch = plan && !done ? limitExceeded(plan, onConflict) : null;
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
              onClick={() => void apply(plan)}
            >
              {texts.importAll(toImport)}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose} disabled={busy}>
              {texts.cancel}
            </Button>
            <Button variant="primary" busy={busy} disabled={files.length === 0} onClick={() => void makePlan()}>
              {texts.plan}
            </Button>
          </>
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
            {texts.done(changes)}
          </Alert>
        )}
        {!plan && (
          <div className="grid gap-1.5 text-sm">
            <Button className="justify-self-start" disabled={busy} onClick={() => input.current?.click()}>
              {texts.chooseFiles}
            </Button>
            <input
              ref={input}
              type="file"
              multiple
              accept=".md,.markdown,.docx,.html,.htm,.zip"
              aria-label={texts.choose}
              tabIndex={-1}
              className="hidden"
              onChange={({ target }) => setFiles([...(target.files ?? [])])}
            />
            {files.map(({ name }) => (
              <p key={name} className="break-words">
                {name}
              </p>
            ))}
            <p className="text-xs text-muted">{texts.chosen}</p>
          </div>
        )}
        {plan && !done && conflicts > 0 && (
          <Field label={texts.onConflict}>
            {(control) => (
              <Select
                {...control}
                options={conflictOptions}
                value={onConflict}
                disabled={busy}
                onChange={(event) => setOnConflict(event.target.value as OnConflict)}
              />
            )}
          </Field>
        )}
        {plan && !done && toImport === 0 && conflicts === 0 && <p className="text-sm text-muted">{texts.nothing}</p>}
        <output className="text-sm text-muted empty:hidden">{progress}</output>
        {rows.length > 0 && <PlanList rows={rows} isDone={done !== null} />}
      </div>
    </Dialog>
  );
}
