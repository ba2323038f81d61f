/** Shows one entry: user, time, origin, and every field before and after. */
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { actionDescriptions } from "#core/permissions/action-descriptions.ts";
import { roleLabel, roles } from "#core/permissions/roles.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { dateTimeText } from "../ui/time.ts";
import { auditSubjectName, actorName, type AuditRow, type NameOfId } from "./audit-row.ts";
import { AuditSubject } from "./AuditSubject.tsx";
import { actionText, entityText, texts, fieldText, valueLabelsOf } from "./texts.ts";

const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const granteePattern = /^(user|team):(.+)$/;

/** A value of an audit entry's `changes`, as it was before and after. */
interface AuditFieldChange {
  path: string[];
  /** Absent if the entry records a value and not a change. */
  before?: unknown;
  after: unknown;
}

interface AuditEntryDialogProps {
  row: AuditRow;
  nameOf: NameOfId;
  onClose(): void;
  /** Filters the log by the record of this entry. */
  onFilterByRecord(entityType: string, entityId: string): void;
}

export function AuditEntryDialog({ row, nameOf, onClose, onFilterByRecord }: AuditEntryDialogProps) {
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
          {entityId !== null && (
            <Button onClick={() => onFilterByRecord(entityType, entityId)}>{texts.sameRecord}</Button>
          )}
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
                <FieldChangeLine key={line.path.join("/")} line={line} nameOf={nameOf} />
              ))}
            </ul>
          )}
        </section>
        <AuditEntryFacts row={row} nameOf={nameOf} />
      </div>
    </Dialog>
  );
}

/** Shows a value before and after the change side by side. Words say what changed; color only supports them. */
function FieldChangeLine({ line, nameOf }: { line: AuditFieldChange; nameOf: NameOfId }) {
  const after = auditValueText(line.after, nameOf, line.path.at(-1));
  return (
    <li>
      <p className="pb-1 text-xs font-semibold text-muted">{fieldPathText(line.path, nameOf)}</p>
      {"before" in line ? (
        <dl className="grid overflow-hidden rounded-md sm:grid-cols-2">
          <ChangeSide term={texts.before} className="bg-destructive-soft">
            {auditValueText(line.before, nameOf, line.path.at(-1))}
          </ChangeSide>
          <ChangeSide term={texts.after} className="bg-success-soft">
            {after}
          </ChangeSide>
        </dl>
      ) : (
        <p className="rounded-md bg-sunken px-3 py-2 whitespace-pre-wrap">{after}</p>
      )}
    </li>
  );
}

function ChangeSide({ term, className, children }: { term: string; className: string; children: ReactNode }) {
  return (
    <div className={`min-w-0 px-3 py-2 ${className}`}>
      <dt className="text-xs">{term}</dt>
      <dd className={clsx("whitespace-pre-wrap", children === texts.blank && "italic")}>{children}</dd>
    </div>
  );
}

function AuditEntryFacts({ row, nameOf }: { row: AuditRow; nameOf: NameOfId }) {
  const subject = auditSubjectName(row, nameOf) ?? row.entityId ?? undefined;
  const facts: [string, ReactNode][] = [
    [
      texts.record,
      <>
        {entityText(row.entityType)}
        {subject && " · "}
        <AuditSubject row={row} name={subject} />
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

/**
 * Returns a line for each value that differs between `from` and `to`, or that the entry only records. Example: `{title:
 * {from, to}, settings: {from: {…}, to: {…}}, format: "csv"}`.
 */
export function fieldChanges(
  changes: Readonly<Record<string, unknown>>,
  path: readonly string[] = [],
): AuditFieldChange[] {
  return Object.entries(changes).flatMap(([name, value]) => changesOfValue([...path, ...name.split(".")], value));
}

function changesOfValue(path: string[], value: unknown): AuditFieldChange[] {
  if (!isRecord(value)) return [{ path, after: value }];
  const isChange = Object.keys(value).every((key) => key === "from" || key === "to") && "to" in value;
  if (!isChange) return Object.keys(value).length === 0 ? [] : fieldChanges(value, path);
  return fieldDifferences(path, value["from"], value["to"]);
}

function fieldDifferences(path: string[], before: unknown, after: unknown): AuditFieldChange[] {
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .flatMap((name) => fieldDifferences([...path, name], before[name] ?? null, after[name] ?? null));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `["settings", "approvalRule"]` → 'Settings › Approval rule'; a grant's `user:<id>` → the person's name. */
export function fieldPathText(path: readonly string[], nameOf: NameOfId): string {
  return path
    .map((part) => {
      const [, kind = "", id = ""] = granteePattern.exec(part) ?? [];
      return id === "" ? fieldText(part) : (nameOf(id) ?? fieldText(kind));
    })
    .join(" › ");
}

/**
 * Returns a readable text for a stored value.
 * @param field the value's field; some fields have their own names for values
 */
export function auditValueText(value: unknown, nameOf: NameOfId, field = ""): string {
  if (value === null || value === undefined || value === "") return texts.blank;
  if (typeof value === "boolean") return value ? texts.yes : texts.no;
  if (Array.isArray(value))
    return value.length === 0 ? texts.blank : value.map((one) => auditValueText(one, nameOf)).join(", ");
  if (typeof value !== "string") return typeof value === "object" ? JSON.stringify(value) : String(value);
  const known =
    valueLabelsOf(field)[value] ?? nameOf(value) ?? (actionDescriptions as Readonly<Record<string, string>>)[value];
  if (known !== undefined) return known;
  if (roles.some((role) => role === value)) return roleLabel(value);
  return momentPattern.test(value) ? dateTimeText(value) : value;
}
