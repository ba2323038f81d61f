import { useRead } from "../api.ts";
import { ListSearch } from "../sops/list/ListSearch.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { Field } from "../ui/Field.tsx";
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
    <Card className="p-4">
      <section aria-label={texts.filters} className="grid gap-3 min-[380px]:grid-cols-2 lg:grid-cols-5">
        <div className="min-[380px]:col-span-2 lg:col-span-5">
          <ListSearch
            label={texts.search}
            value={filters.search}
            onSearch={(search) => set({ search }, { replace: true })}
          />
        </div>
        <Field label={texts.who}>
          {(control) => (
            <Select
              {...control}
              value={filters.userId}
              onChange={(event) => set({ userId: event.target.value })}
              options={[
                { value: "", label: texts.anybody },
                ...(people.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
        </Field>
        <Field label={texts.action}>
          {(control) => (
            <Select
              {...control}
              value={filters.action}
              onChange={(event) => set({ action: event.target.value })}
              options={[{ value: "", label: texts.anything }, ...actionOptions]}
            />
          )}
        </Field>
        <div className="min-[380px]:col-span-2 lg:col-span-1">
          <Field label={texts.entity}>
            {(control) => (
              <Select
                {...control}
                value={filters.entityType}
                onChange={(event) => set({ entityType: event.target.value, entityId: "" })}
                options={[
                  { value: "", label: texts.anyRecord },
                  ...entityTypes.map((value) => ({ value, label: entityText(value) })),
                ]}
              />
            )}
          </Field>
        </div>
        <Field label={texts.from}>
          {(control) => (
            <Input
              {...control}
              type="date"
              value={filters.from}
              onChange={(event) => set({ from: event.target.value }, { replace: true })}
            />
          )}
        </Field>
        <Field label={texts.to}>
          {(control) => (
            <Input
              {...control}
              type="date"
              value={filters.to}
              onChange={(event) => set({ to: event.target.value }, { replace: true })}
            />
          )}
        </Field>
        {isFiltered && (
          <div className="flex flex-wrap items-center gap-3 min-[380px]:col-span-2 lg:col-span-5">
            {filters.entityId !== "" && <Badge tone="primary">{texts.oneRecord}</Badge>}
            <Button size="sm" variant="ghost" onClick={clear}>
              {texts.clear}
            </Button>
          </div>
        )}
      </section>
    </Card>
  );
}
