import { printedName } from "#core/users/printed-name.ts";
import { useRead } from "../api.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Input } from "../ui/Input.tsx";
import { Select } from "../ui/Select.tsx";
import { actionNames, actionText, entityText, entityTypes, texts } from "./texts.ts";
import type { AuditFilters } from "./use-audit-log.ts";

interface AuditFilterBarProps {
  filters: AuditFilters;
  set(change: Partial<AuditFilters>, options?: { replace?: boolean }): void;
  clear(): void;
  isFiltered: boolean;
}

const actionOptions = actionNames
  .map((value) => ({ value, label: actionText(value), group: entityText(value.split(".")[0] ?? "") }))
  .toSorted((a, b) => a.group.localeCompare(b.group) || a.label.localeCompare(b.label));

export function AuditFilterBar({ filters, set, clear, isFiltered }: AuditFilterBarProps) {
  const people = useRead("users", "list", {});
  return (
    <section aria-label={texts.filters} className="-ml-3 flex flex-wrap items-center gap-x-1 gap-y-2">
      <Select
        quiet
        aria-label={texts.who}
        value={filters.userId}
        onChange={(event) => set({ userId: event.target.value })}
        options={[
          { value: "", label: texts.anyone },
          ...(people.data ?? []).map((person) => ({ value: person.id, label: printedName(person) })),
        ]}
      />
      <Select
        quiet
        aria-label={texts.action}
        value={filters.action}
        onChange={(event) => set({ action: event.target.value })}
        options={[{ value: "", label: texts.anything }, ...actionOptions]}
      />
      <Select
        quiet
        aria-label={texts.entity}
        value={filters.entityType}
        onChange={(event) => set({ entityType: event.target.value, entityId: "" })}
        options={[
          { value: "", label: texts.anyRecord },
          ...entityTypes.map((value) => ({ value, label: entityText(value) })),
        ]}
      />
      <AuditDayField label={texts.from} value={filters.from} onChange={(from) => set({ from }, { replace: true })} />
      <AuditDayField label={texts.to} value={filters.to} onChange={(to) => set({ to }, { replace: true })} />
      {isFiltered && (
        <>
          {filters.entityId !== "" && <Badge tone="primary">{texts.oneRecord}</Badge>}
          <Button variant="ghost" onClick={clear}>
            {texts.clear}
          </Button>
        </>
      )}
    </section>
  );
}

function AuditDayField({ label, value, onChange }: { label: string; value: string; onChange(day: string): void }) {
  return (
    <label className="flex items-center gap-2 pl-3 text-sm text-muted">
      <span className="shrink-0">{label}</span>
      <span className="w-38">
        <Input type="date" value={value} onChange={(event) => onChange(event.target.value)} />
      </span>
    </label>
  );
}
