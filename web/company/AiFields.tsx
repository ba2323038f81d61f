import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { CompanyUsage } from "../ai/Usage.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { numberOrNull } from "../ui/number-field.ts";
import { Switch } from "../ui/Switch.tsx";
import type { RulesValues } from "./company-forms.ts";
import { aiTexts as texts } from "./texts.ts";

interface AiFieldsProps {
  register: UseFormRegister<RulesValues>;
  errors: FieldErrors<RulesValues>;
}

const budgets = [
  { name: "aiUserTokensPerDay", label: texts.perUser },
  { name: "aiCompanyTokensPerMonth", label: texts.perCompany },
] as const;

/** Whether the company uses AI, and how much of it by the server's key. */
export function AiFields({ register, errors }: AiFieldsProps) {
  return (
    <div className="grid gap-4">
      <Switch {...register("settings.aiEnabled")} label={texts.enabled} hint={texts.enabledHint} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {budgets.map(({ name, label }) => (
          <Field key={name} label={label} optional hint={texts.budgetHint} error={errors.settings?.[name]?.message}>
            {(props) => (
              <Input
                {...props}
                {...register(`settings.${name}`, numberOrNull)}
                type="number"
                inputMode="numeric"
                min={0}
                step={1000}
              />
            )}
          </Field>
        ))}
      </div>
      <CompanyUsage />
    </div>
  );
}
