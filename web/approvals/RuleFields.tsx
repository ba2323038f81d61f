import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Select, type Option } from "../ui/Select.tsx";
import { ruleTexts as texts } from "./rule-texts.ts";

const kinds = Object.entries(texts.kinds).map(([value, label]) => ({ value, label }));

interface RuleFieldsProps {
  kind: UseFormRegisterReturn;
  /** Registered as a number. */
  count: UseFormRegisterReturn;
  asksCount: boolean;
  countError: string | undefined;
  /** What stands before the rules: no rule of its own. */
  none?: Option;
}

/** When an SOP is approved: `kind`, and for a number of approvers `count`. */
export function RuleFields({ kind, count, asksCount, countError, none }: RuleFieldsProps) {
  return (
    <div className="grid gap-4">
      <Field label={texts.label}>
        {(control) => <Select {...control} {...kind} options={none ? [none, ...kinds] : kinds} />}
      </Field>
      {asksCount && (
        <Field label={texts.count} hint={texts.countHint} error={countError}>
          {(control) => (
            <Input {...control} {...count} type="number" inputMode="numeric" min={1} className="max-w-28" />
          )}
        </Field>
      )}
    </div>
  );
}
