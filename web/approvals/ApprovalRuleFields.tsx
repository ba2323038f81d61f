import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Select, type SelectOption } from "../ui/Select.tsx";
import { catalog } from "#core/language/catalog.ts";
import type { ApprovalRule } from "#core/companies/settings.ts";

/** Texts about approval rules, shared by the forms of companies and categories. */
export const approvalRuleTexts = catalog("approvals.rule", {
  label: "An SOP is approved when",
  kinds: {
    all: "All chosen approvers have approved",
    any: "One of them has approved",
    n_of_m: "A number of them have approved",
  } satisfies Record<ApprovalRule["kind"], string>,
  count: "How many",
  countHint: "A request must name at least this many people.",
});

export const approvalRuleKindOptions = Object.entries(approvalRuleTexts.kinds).map(([value, label]) => ({
  value,
  label,
}));

interface ApprovalRuleFieldsProps {
  kind: UseFormRegisterReturn;
  /** The field for the number of approvers, registered as a number. */
  count: UseFormRegisterReturn;
  asksCount: boolean;
  countError: string | undefined;
  /** An additional first option, for a category that uses the company's rule. */
  none?: SelectOption;
}

/** Fields of a dialog for an approval rule: its kind, and the number of approvers if the kind needs one. */
export function ApprovalRuleFields({ kind, count, asksCount, countError, none }: ApprovalRuleFieldsProps) {
  return (
    <div className="grid gap-4">
      <Field label={approvalRuleTexts.label}>
        {(control) => (
          <Select
            {...control}
            {...kind}
            options={none ? [none, ...approvalRuleKindOptions] : approvalRuleKindOptions}
          />
        )}
      </Field>
      {asksCount && (
        <Field label={approvalRuleTexts.count} hint={approvalRuleTexts.countHint} error={countError}>
          {(control) => (
            <Input {...control} {...count} type="number" inputMode="numeric" min={1} className="max-w-28" />
          )}
        </Field>
      )}
    </div>
  );
}
