import { TriangleAlert } from "lucide-react";
import { Controller, useWatch, type Control } from "react-hook-form";
import type { SaveOutcome } from "#core/sops/editing.ts";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { shownStatus, sopStatuses, type SopStatus } from "#core/sops/statuses.ts";
import { useRead } from "../../api.ts";
import { StatusBadge, statusNames } from "../../ui/StatusBadge.tsx";
import { texts } from "./edit-texts.ts";
import { LifeCycle } from "./LifeCycle.tsx";
import { PropertyRow, quietControlStyle } from "./PropertyRow.tsx";
import { useStatusHint } from "./use-status-hint.ts";

interface StatusPanelProps {
  control: Control<SopForm>;
  sop: Sop | null;
  error: string | undefined;
}

/**
 * Any status can be chosen (`docs/spec/statuses.md`). The hint says what saving with it does, or why it isn't possible.
 */
export function StatusPanel({ control, sop, error }: StatusPanelProps) {
  const current = useCurrentSop(sop);
  const { hintOf: hintFor } = useStatusHint();
  const [categoryId, effectiveAt] = useWatch({ control, name: ["categoryId", "effectiveAt"] });
  return (
    <section aria-label={texts.workflow} className="grid grid-cols-[minmax(0,1fr)] gap-1">
      {current && (
        <div className="grid min-h-9 grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-x-1">
          <span className="text-t2 text-muted">{texts.status}</span>
          <span className="px-2">
            <StatusBadge sop={current} />
          </span>
        </div>
      )}
      {current && <LifeCycle status={shownStatus(current)} />}
      <Controller
        control={control}
        name="status"
        render={({ field }) => {
          const hintOf = (status: SopStatus) => hintFor(current, { status, categoryId, effectiveAt });
          const hint = hintOf(field.value);
          return (
            <>
              <PropertyRow
                label={current ? texts.statusAfter : texts.status}
                error={error}
                hint={hint.saves === null ? undefined : hint.text}
              >
                {(described) => (
                  <select {...described} {...field} className={quietControlStyle}>
                    {statusOptionsFor(current, hintOf).map(({ value, label, disabled = false }) => (
                      <option key={value} value={value} disabled={disabled}>
                        {label}
                      </option>
                    ))}
                  </select>
                )}
              </PropertyRow>
              {hint.saves === null && <StatusRefusalText reason={hint.text} />}
            </>
          );
        }}
      />
    </section>
  );
}

/** Returns all statuses as options. For a status that a new SOP can't have, the hint says how to reach it. */
function statusOptionsFor(sop: Sop | null, hintOf: (status: SopStatus) => SaveOutcome) {
  return sopStatuses.map((value) => {
    const { saves } = hintOf(value);
    const label = statusNames[value];
    if (sop === null && saves === null) return { value, label: `${label}: ${texts.byApproval}`, disabled: true };
    return { value, label };
  });
}

/**
 * The reason why a status can't be saved. It describes the field and isn't announced, because nothing has failed yet.
 */
function StatusRefusalText({ reason }: { reason: string }) {
  return (
    <p className="flex gap-2 rounded-md bg-warning-soft px-2.5 py-2 text-xs">
      <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0 text-warning" />
      <span>{reason}</span>
    </p>
  );
}

/**
 * Returns the SOP with its current status. An approver's decision changes the status without a new version, so the
 * newest answer of the server is used if it has the same version.
 */
function useCurrentSop(sop: Sop | null): Sop | null {
  const { data } = useRead("sops", "get", { params: { id: sop?.id ?? "" } }, { enabled: sop !== null });
  return sop && data?.version === sop.version ? data : sop;
}
