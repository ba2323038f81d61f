import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Select, type Option } from "../ui/Select.tsx";
import { catalog } from "#core/language/catalog.ts";
import type { ApprovalRule } from "#core/companies/settings.ts";

/** When a request is met; the company's form and its categories' say it in the same words. */
export const ruleTexts = catalog("approvals.rule", {
  label: "An SOP is approved when",
  kinds: {
    all: "All chosen approvers have approved",
    any: "One of them has approved",
    n_of_m: "A number of them have approved",
  } satisfies Record<ApprovalRule["kind"], string>,
  count: "How many",
  countHint: "A request must name at least this many people.",
});

export const ruleKinds = Object.entries(ruleTexts.kinds).map(([value, label]) => ({ value, label }));

interface RuleFieldsProps {
  kind: UseFormRegisterReturn;
  /** Registered as a number. */
  count: UseFormRegisterReturn;
  asksCount: boolean;
  countError: string | undefined;
  /** The choice above the rules: no own rule. */
  none?: Option;
}

/** In a dialog. When an SOP is approved: `kind`, and for a number of approvers `count`. */
export function RuleFields({ kind, count, asksCount, countError, none }: RuleFieldsProps) {
  return (
    <div className="grid gap-4">
      <Field label={ruleTexts.label}>
        {(control) => <Select {...control} {...kind} options={none ? [none, ...ruleKinds] : ruleKinds} />}
      </Field>
      {asksCount && (
        <Field label={ruleTexts.count} hint={ruleTexts.countHint} error={countError}>
          {(control) => (
            <Input {...control} {...count} type="number" inputMode="numeric" min={1} className="max-w-28" />
          )}
        </Field>
      )}
    </div>
  );
}
