import { TriangleAlert } from "lucide-react";
import { Controller, useWatch, type Control } from "react-hook-form";
import type { Outcome } from "#core/sops/editing.ts";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { sopStatuses, type SopStatus } from "#core/sops/statuses.ts";
import { useRead } from "../../api.ts";
import { EditApproval, type Submitting } from "../../approvals/EditApproval.tsx";
import { Card } from "../../ui/Card.tsx";
import { Field } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { statuses, StatusBadge } from "../../ui/StatusBadge.tsx";
import { texts } from "./edit-texts.ts";
import { LifeCycle } from "./LifeCycle.tsx";
import { useStatusHint } from "./use-status-hint.ts";

interface StatusPanelProps {
  control: Control<SopForm>;
  sop: Sop | null;
  /** What is on the screen is not what would be submitted. */
  unsaved: boolean;
  saving: Submitting;
  error: string | undefined;
}

/** Any status can be picked (`docs/spec/statuses.md`); the hint says what saving with it does, or why it can't. */
export function StatusPanel({ control, sop, unsaved, saving, error }: StatusPanelProps) {
  const current = useCurrent(sop);
  const { hintOf: hintFor, rightsOf } = useStatusHint();
  const [categoryId, effectiveAt] = useWatch({ control, name: ["categoryId", "effectiveAt"] });
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      {/* of a new SOP the field below says the same */}
      <div className={current ? "flex flex-wrap items-center justify-between gap-2" : "sr-only"}>
        <h2 className="font-semibold">{current ? texts.workflow : texts.status}</h2>
        {current && (
          <span className="flex items-center gap-2 text-muted">
            <StatusBadge status={current.status} />v{current.version}
          </span>
        )}
      </div>
      {current && <LifeCycle status={current.status} />}
      <Controller
        control={control}
        name="status"
        render={({ field }) => {
          const hintOf = (status: SopStatus) => hintFor(current, { status, categoryId, effectiveAt });
          const hint = hintOf(field.value);
          return (
            <Field
              label={current ? texts.statusAfter : texts.status}
              error={error}
              hint={hint.saves === null ? <Refused reason={hint.text} /> : hint.text}
            >
              {(described) => <Select {...described} {...field} options={optionsFor(current, hintOf)} />}
            </Field>
          );
        }}
      />
      <EditApproval sop={current} mayAsk={rightsOf(current).ask} unsaved={unsaved} saving={saving} />
    </Card>
  );
}

/** Every status can be picked. One that a new SOP can't start with says how to get there. */
function optionsFor(sop: Sop | null, hintOf: (status: SopStatus) => Outcome) {
  return sopStatuses.map((value) => {
    const { saves } = hintOf(value);
    const { label } = statuses[value];
    if (sop === null && saves === null) return { value, label: `${label}: ${texts.byApproval}`, disabled: true };
    return { value, label };
  });
}

/** A choice, not yet a failure: described rather than announced. */
function Refused({ reason }: { reason: string }) {
  return (
    <span className="flex gap-2 rounded-md bg-warning-soft px-2.5 py-2 text-text">
      <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0 text-warning" />
      <span>{reason}</span>
    </span>
  );
}

/** A decision changes the status without a new version: the newest answer counts, unless it is about another text. */
function useCurrent(sop: Sop | null): Sop | null {
  const { data } = useRead("sops", "get", { params: { id: sop?.id ?? "" } }, { enabled: sop !== null });
  return sop && data?.version === sop.version ? data : sop;
}
