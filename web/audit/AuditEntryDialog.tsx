/** Shows one entry: user, time, origin, and every field before and after. */
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { dateTimeText } from "../ui/time.ts";
import { subjectOf, actorName, type AuditRow, type NameOf } from "./audit-row.ts";
import { Subject } from "./Subject.tsx";
import { fieldChanges, type FieldChange } from "./diff-fields.ts";
import { actionText, entityText, texts } from "./texts.ts";
import { pathText, valueText } from "./value-text.ts";

interface AuditEntryDialogProps {
  row: AuditRow;
  nameOf: NameOf;
  onClose(): void;
  onSameRecord(entityType: string, entityId: string): void;
}

export function AuditEntryDialog({ row, nameOf, onClose, onSameRecord }: AuditEntryDialogProps) {
  const { entityType, entityId } = row;
  const lines = fieldChanges(row.changes ?? {});
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={actionText(row.action)}
      description={`${actorName(row)}, ${dateTimeText(row.createdAt)}`}
      footer={
        <>
          {entityId !== null && <Button onClick={() => onSameRecord(entityType, entityId)}>{texts.sameRecord}</Button>}
          <Button variant="primary" onClick={onClose}>
            {texts.close}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <section aria-label={texts.fields}>
          <h3 className="mb-2 font-semibold">{texts.fields}</h3>
          {lines.length === 0 ? (
            <p className="text-muted">{texts.noChanges}</p>
          ) : (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
              {lines.map((line) => (
                <Line key={line.path.join("/")} line={line} nameOf={nameOf} />
              ))}
            </ul>
          )}
        </section>
        <Facts row={row} nameOf={nameOf} />
      </div>
    </Dialog>
  );
}

/** Before and after side by side. Words say what changed; color only supports them. */
function Line({ line, nameOf }: { line: FieldChange; nameOf: NameOf }) {
  const after = valueText(line.after, nameOf, line.path.at(-1));
  return (
    <li>
      <p className="pb-1 text-xs font-semibold text-muted">{pathText(line.path, nameOf)}</p>
      {"before" in line ? (
        <dl className="grid overflow-hidden rounded-md sm:grid-cols-2">
          <Side term={texts.before} className="bg-destructive-soft">
            {valueText(line.before, nameOf, line.path.at(-1))}
          </Side>
          <Side term={texts.after} className="bg-success-soft">
            {after}
          </Side>
        </dl>
      ) : (
        <p className="rounded-md bg-sunken px-3 py-2 whitespace-pre-wrap">{after}</p>
      )}
    </li>
  );
}

function Side({ term, className, children }: { term: string; className: string; children: ReactNode }) {
  return (
    <div className={`min-w-0 px-3 py-2 ${className}`}>
      <dt className="text-xs">{term}</dt>
      <dd className={clsx("whitespace-pre-wrap", children === texts.blank && "italic")}>{children}</dd>
    </div>
  );
}

function Facts({ row, nameOf }: { row: AuditRow; nameOf: NameOf }) {
  const subject = subjectOf(row, nameOf) ?? row.entityId ?? undefined;
  const facts: [string, ReactNode][] = [
    [
      texts.record,
      <>
        {entityText(row.entityType)}
        {subject && " · "}
        <Subject row={row} name={subject} />
      </>,
    ],
    [texts.number, row.seq === null ? texts.waiting : String(row.seq)],
    [texts.address, row.ipAddress],
    [texts.browser, row.userAgent],
    [texts.fingerprint, row.hash],
  ];
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[9rem_minmax(0,1fr)]">
      {facts
        .filter(([, value]) => value !== null)
        .map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className={term === texts.fingerprint ? "font-mono text-xs break-all" : undefined}>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
