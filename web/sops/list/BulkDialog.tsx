/** Asks for a change of several SOPs, says which SOPs are left out and why, and lists failures by title. */
import { useEffect, useState, type ReactNode } from "react";
import { bulkRefusalOf, tagsAfterChange, parseTagList, type BulkAction } from "#core/sops/bulk.ts";
import type { ListedRow } from "#core/sops/list-schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useClient, useRead, type AppClient } from "../../api.ts";
import { useMay } from "../../session.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { FormDialog } from "../../ui/FormDialog.tsx";
import { Input } from "../../ui/Input.tsx";
import { Select } from "../../ui/Select.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { bulkDone, bulkSubmits, bulkTexts as texts, bulkTitles, refusals } from "./bulk-texts.ts";
import { runForEachItem, useBulk, type BulkFailure } from "./use-bulk.ts";

/** The value for "no owner". An empty value means that the user hasn't chosen yet. */
const noOwner = "none";

interface BulkDialogProps {
  action: BulkAction;
  sops: readonly ListedRow[];
  onClose(): void;
  /** Called with the ids of SOPs that failed, which stay selected. */
  onDone(failed: readonly string[]): void;
}

export function BulkDialog({ action, sops, onClose, onDone }: BulkDialogProps) {
  const may = useMay();
  const toast = useToast();
  const bulk = useBulk();
  const [failures, setFailures] = useState<readonly BulkFailure[]>([]);
  // The SOPs as they were when the dialog opened, because the list changes during the work.
  const [{ able, left }] = useState(() => {
    const judged = sops.map((sop) => ({ sop, why: bulkRefusalOf(action, sop, (name) => may(name, sop)) }));
    return {
      able: judged.flatMap(({ sop, why }) => (why === null ? [sop] : [])),
      left: judged.flatMap(({ sop, why }) => (why === null ? [] : [{ sop, message: refusals[why] }])),
    };
  });
  const [typed, setTyped] = useState("");
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [ownerId, setOwnerId] = useState("");
  const [error, setError] = useState<string>();

  const changeSop = (client: AppClient, { id, version, ...sop }: ListedRow): Promise<unknown> => {
    const ask = { params: { id }, ifMatch: version };
    if (action === "archive") return client.sops.archive({ ...ask, body: {} });
    if (action === "owner")
      return client.sops.update({ ...ask, body: { ownerId: ownerId === noOwner ? null : ownerId } });
    return client.sops.update({ ...ask, body: { tags: tagsAfterChange(sop.tags, parseTagList(typed), removed) } });
  };
  const submit = async () => {
    if (action === "tags" && parseTagList(typed).length + removed.length === 0) return setError(texts.nothing);
    if (action === "owner" && ownerId === "") return setError(texts.chooseOwner);
    setError(undefined);
    const failed = await bulk.run(able, changeSop);
    onDone(failed.map(({ sop }) => sop.id));
    if (failed.length < able.length) toast({ title: bulkDone[action]({ count: able.length - failed.length }) });
    if (failed.length === 0) onClose();
    else setFailures(failed);
  };

  if (failures.length > 0) {
    return (
      <Dialog
        open
        title={texts.failed({ count: failures.length })}
        onOpenChange={onClose}
        footer={<Button onClick={onClose}>{texts.close}</Button>}
      >
        <FailedSopTitles rows={failures} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={bulkTitles[action]({ count: able.length })}
      description={
        action === "archive"
          ? texts.archiveText
          : able.some(({ published }) => published !== null)
            ? texts.becomesDraft
            : undefined
      }
      submitLabel={bulkSubmits[action]({ count: able.length })}
      busy={bulk.busy}
      error={error}
      onSubmit={(event) => {
        event.preventDefault();
        if (!bulk.busy) void submit();
      }}
      onClose={onClose}
    >
      {action === "tags" && (
        <TagFields sops={able} typed={typed} onType={setTyped} removed={removed} onRemove={setRemoved} />
      )}
      {action === "owner" && <OwnerField value={ownerId} onChange={setOwnerId} />}
      {action === "archive" && <LinkedSopsNote sops={able} />}
      {left.length > 0 && (
        <Alert tone="warning" title={texts.leftOut({ count: left.length })}>
          <FailedSopTitles rows={left} />
        </Alert>
      )}
    </FormDialog>
  );
}

function FailedSopTitles({ rows }: { rows: readonly BulkFailure[] }): ReactNode {
  return (
    <ul className="grid gap-1 text-sm">
      {rows.map(({ sop, message }) => (
        <li key={sop.id} className="wrap-anywhere">
          <span className="font-medium">{sop.title}</span>: {message}
        </li>
      ))}
    </ul>
  );
}

interface TagFieldsProps {
  sops: readonly ListedRow[];
  typed: string;
  onType(typed: string): void;
  removed: readonly string[];
  onRemove(tags: readonly string[]): void;
}

function TagFields({ sops, typed, onType, removed, onRemove }: TagFieldsProps) {
  const tags = [...new Set(sops.flatMap((sop) => sop.tags))].toSorted((a, b) => a.localeCompare(b, "en"));
  return (
    <>
      <Field label={texts.tagsToAdd} hint={texts.tagsHint}>
        {(control) => (
          <Input {...control} value={typed} autoComplete="off" onChange={(event) => onType(event.target.value)} />
        )}
      </Field>
      {tags.length > 0 && (
        <fieldset>
          <legend className="text-sm font-medium">{texts.tagsToRemove}</legend>
          <div className="mt-1 flex max-h-40 flex-wrap gap-x-5 overflow-y-auto p-0.5">
            {tags.map((tag) => (
              <Checkbox
                key={tag}
                label={tag}
                checked={removed.includes(tag)}
                onChange={() =>
                  onRemove(removed.includes(tag) ? removed.filter((one) => one !== tag) : [...removed, tag])
                }
              />
            ))}
          </div>
        </fieldset>
      )}
    </>
  );
}

function OwnerField({ value, onChange }: { value: string; onChange(id: string): void }) {
  const people = useRead("users", "list", {}).data ?? [];
  const options = [
    { value: "", label: texts.chooseOwner },
    { value: noOwner, label: texts.noOwner },
    ...people.map((person) => ({ value: person.id, label: printedName(person) })),
  ];
  return (
    <Field label={texts.owner}>
      {(control) => (
        <Select {...control} options={options} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

/** Lists chosen SOPs that other SOPs link to. It shows nothing until the server has answered. */
function LinkedSopsNote({ sops }: { sops: readonly ListedRow[] }) {
  const client = useClient();
  const [ids, setIds] = useState<readonly string[]>([]);
  useEffect(() => {
    const ended = new AbortController();
    const own = new Set(sops.map(({ id }) => id));
    void runForEachItem(sops, async ({ id }) => {
      if (ended.signal.aborted) return;
      const links = await client.sops.links({ params: { id }, signal: ended.signal }).catch(() => null);
      if (links?.data.some((from) => !own.has(from.id))) setIds((before) => [...before, id]);
    });
    return () => ended.abort();
  }, [client, sops]);
  const linked = sops.filter(({ id }) => ids.includes(id));
  if (linked.length === 0) return null;
  return (
    <div className="text-sm">
      <p className="font-medium">{texts.linked}</p>
      <ul>
        {linked.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    </div>
  );
}
