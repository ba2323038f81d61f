/** What a company decides for itself, each rule in one plain line. */
import { Controller, type FieldErrors, type UseFormRegister } from "react-hook-form";
import type { CompanySettings } from "#core/companies/settings.ts";
import { CompanyUsage } from "../../ai/Usage.tsx";
import { useWrite, type Output } from "../../api.ts";
import { RuleFields } from "../../approvals/RuleFields.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Field, FieldError } from "../../ui/Field.tsx";
import { Form } from "../../ui/Form.tsx";
import { Input } from "../../ui/Input.tsx";
import { Select } from "../../ui/Select.tsx";
import { numberOrNull } from "../../ui/number-field.ts";
import { Switch } from "../../ui/Switch.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { useServerForm } from "../../use-server-form.ts";
import { type RulesValues, rulesResolver as resolver } from "./company-forms.ts";
import { SaveButton } from "./ProfileForm.tsx";
import { Section } from "./Section.tsx";
import { rulesTexts as texts, aiTexts } from "./texts.ts";

type Settings = Output<"company", "get">["settings"];

const fields = [
  "settings.approvalRule.count",
  "settings.reviewMonths",
  "settings.passwordMinimum",
  "settings.aiUserTokensPerDay",
  "settings.aiCompanyTokensPerMonth",
  "settings.allowSelfApproval",
] as const;
const ruleSets = Object.entries(texts.textRuleSets).map(([value, label]) => ({ value, label }));
const controls = Object.keys(texts.controls) as CompanySettings["documentControl"][];

export function RulesForm({ settings: all, mayChange }: { settings: Settings; mayChange: boolean }) {
  // it has a form of its own, and may change while this one is open
  const { glossary: _, ...settings } = all;
  const toast = useToast();
  const update = useWrite("company", "update");
  const { register, control, formState, watch, submit } = useServerForm<RulesValues>({
    resolver,
    values: { settings },
    resetOptions: { keepDirtyValues: true },
    fields,
    failed: texts.failed,
    send: async (values, form) => {
      const saved = await update.mutateAsync({ body: values });
      const { glossary: _glossary, ...now } = saved.settings;
      form.reset({ settings: now });
      toast({ title: texts.saved });
    },
  });
  const { errors, isSubmitting } = formState;
  return (
    <Section title={texts.title}>
      <Form onSubmit={submit} error={errors.root?.message} label={texts.title}>
        <fieldset disabled={!mayChange} className="grid gap-6">
          <fieldset className="grid gap-2">
            <legend className="mb-2 text-sm font-medium">{texts.control}</legend>
            {controls.map((value) => (
              <label
                key={value}
                className="flex items-start gap-2.5 rounded-md border border-line px-3.5 py-3 text-sm has-checked:border-primary has-checked:bg-primary-soft"
              >
                <input
                  type="radio"
                  value={value}
                  {...register("settings.documentControl")}
                  className="mt-0.5 size-4 shrink-0 accent-primary"
                />
                <span>
                  <span className="font-medium">{texts.controls[value].label}</span>
                  <span className="block text-muted">{texts.controls[value].hint}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <RuleFields
            kind={register("settings.approvalRule.kind")}
            count={register("settings.approvalRule.count", numberOrNull)}
            asksCount={watch("settings.approvalRule.kind") === "n_of_m"}
            countError={errors.settings?.approvalRule?.count?.message}
          />
          <Controller
            control={control}
            name="settings.allowSelfApproval"
            render={({ field: { value, onChange, ...field } }) => (
              <div className="grid gap-2">
                <Switch
                  {...field}
                  label={texts.self}
                  hint={texts.selfHint}
                  checked={value === true}
                  onChange={(event) => onChange(event.target.checked)}
                />
                {value === true && <Alert tone="warning">{texts.selfWarning}</Alert>}
                <FieldError message={errors.settings?.allowSelfApproval?.message} />
              </div>
            )}
          />
          <Field label={texts.textRules} hint={texts.textRulesHint} error={errors.settings?.textRules?.message}>
            {(props) => <Select {...props} {...register("settings.textRules")} options={ruleSets} />}
          </Field>
          <AiFields register={register} errors={errors} />
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field label={texts.review} hint={texts.reviewHint} error={errors.settings?.reviewMonths?.message}>
              {(props) => (
                <Input
                  {...props}
                  {...register("settings.reviewMonths", numberOrNull)}
                  type="number"
                  inputMode="numeric"
                  min={1}
                />
              )}
            </Field>
            <Field label={texts.password} hint={texts.passwordHint} error={errors.settings?.passwordMinimum?.message}>
              {(props) => (
                <Input
                  {...props}
                  {...register("settings.passwordMinimum", numberOrNull)}
                  type="number"
                  inputMode="numeric"
                  min={6}
                />
              )}
            </Field>
          </div>
        </fieldset>
        {mayChange && <SaveButton busy={isSubmitting} />}
      </Form>
    </Section>
  );
}

interface AiFieldsProps {
  register: UseFormRegister<RulesValues>;
  errors: FieldErrors<RulesValues>;
}

const budgets = [
  { name: "aiUserTokensPerDay", label: aiTexts.perUser },
  { name: "aiCompanyTokensPerMonth", label: aiTexts.perCompany },
] as const;

/** Whether the company uses AI, and how much of it by the server's key. */
function AiFields({ register, errors }: AiFieldsProps) {
  return (
    <div className="grid gap-4">
      <Switch {...register("settings.aiEnabled")} label={aiTexts.enabled} hint={aiTexts.enabledHint} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {budgets.map(({ name, label }) => (
          <Field key={name} label={label} optional hint={aiTexts.budgetHint} error={errors.settings?.[name]?.message}>
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
