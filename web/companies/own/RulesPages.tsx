/** Pages with the company's rules, one topic per page. */
import { Controller, type Path } from "react-hook-form";
import type { CompanySettings } from "#core/companies/settings.ts";
import { exampleNumber } from "#core/numbers/numbers.ts";
import { CompanyAiUsage } from "../../ai/Usage.tsx";
import { approvalRuleKindOptions, approvalRuleTexts } from "../../approvals/ApprovalRuleFields.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { numberOrNull } from "../../ui/number-field.ts";
import { Select } from "../../ui/Select.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { Setting, settingStyle } from "./Setting.tsx";
import { TopicForm } from "./TopicForm.tsx";
import { aiTexts, rulesTexts as texts } from "./texts.ts";
import { topicTitleOf } from "./topics.ts";
import { useWrite, type Output } from "../../api.ts";
import { useToast } from "../../ui/Toast.tsx";
import { useServerForm } from "../../use-server-form.ts";
import { rulesResolver as resolver, type RulesValues } from "./company-forms.ts";

type Settings = Output<"company", "get">["settings"];
type RuleName = keyof RulesValues["settings"] & keyof Settings;

export interface RulesPageProps {
  settings: Settings;
  mayChange: boolean;
}

const textRuleSetOptions = Object.entries(texts.textRuleSets).map(([value, label]) => ({ value, label }));
const documentControls = Object.keys(texts.controls) as CompanySettings["documentControl"][];

const exampleFacts = { category: "it", year: new Date().getUTCFullYear() };

export function PublishingPage({ settings, mayChange }: RulesPageProps) {
  const form = useRulesForm(
    settings,
    ["documentControl", "approvalRule", "allowSelfApproval", "reviewMonths", "readingDays", "numberScheme"],
    [
      "settings.approvalRule.count",
      "settings.reviewMonths",
      "settings.readingDays",
      "settings.allowSelfApproval",
      "settings.numberScheme",
    ],
  );
  const { register, control, watch } = form;
  const { errors } = form.formState;
  const example = exampleNumber(watch("settings.numberScheme"), exampleFacts);
  return (
    <TopicForm title={topicTitleOf("publishing")} form={form} mayChange={mayChange}>
      <fieldset className={`${settingStyle} grid min-w-0 gap-2`}>
        <legend className="font-medium">{texts.control}</legend>
        {documentControls.map((value) => (
          <label
            key={value}
            className="flex items-start gap-3 rounded-md border border-line p-3 has-checked:border-primary has-checked:bg-primary-soft"
          >
            <input
              type="radio"
              value={value}
              {...register("settings.documentControl")}
              className="mt-0.5 size-4 shrink-0 accent-primary"
            />
            <span>
              <span className="font-medium">{texts.controls[value].label}</span>
              <span className="block text-sm text-muted">{texts.controls[value].hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Setting label={approvalRuleTexts.label}>
        {(props) => <Select {...props} {...register("settings.approvalRule.kind")} options={approvalRuleKindOptions} />}
      </Setting>
      {watch("settings.approvalRule.kind") === "n_of_m" && (
        <Setting
          size="number"
          label={approvalRuleTexts.count}
          hint={approvalRuleTexts.countHint}
          error={errors.settings?.approvalRule?.count?.message}
        >
          {(props) => (
            <Input
              {...props}
              {...register("settings.approvalRule.count", numberOrNull)}
              type="number"
              inputMode="numeric"
              min={1}
            />
          )}
        </Setting>
      )}
      <Controller
        control={control}
        name="settings.allowSelfApproval"
        render={({ field: { value, onChange, ...field } }) => (
          <div className={`${settingStyle} grid gap-2`}>
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
      <Setting
        size="number"
        label={texts.review}
        hint={texts.reviewHint}
        error={errors.settings?.reviewMonths?.message}
      >
        {(props) => (
          <Input
            {...props}
            {...register("settings.reviewMonths", numberOrNull)}
            type="number"
            inputMode="numeric"
            min={1}
          />
        )}
      </Setting>
      <Setting
        size="number"
        label={texts.reading}
        hint={texts.readingHint}
        error={errors.settings?.readingDays?.message}
      >
        {(props) => (
          <Input
            {...props}
            {...register("settings.readingDays", numberOrNull)}
            type="number"
            inputMode="numeric"
            min={1}
          />
        )}
      </Setting>
      <Setting
        label={texts.numbers}
        hint={texts.numbersHint({ example })}
        error={errors.settings?.numberScheme?.message}
      >
        {(props) => <Input {...props} {...register("settings.numberScheme")} spellCheck={false} autoCapitalize="off" />}
      </Setting>
    </TopicForm>
  );
}

export function WritingPage({ settings, mayChange }: RulesPageProps) {
  const form = useRulesForm(settings, ["textRules"], ["settings.textRules"]);
  const { register } = form;
  const { errors } = form.formState;
  return (
    <TopicForm title={topicTitleOf("writing")} form={form} mayChange={mayChange}>
      <Setting label={texts.textRules} hint={texts.textRulesHint} error={errors.settings?.textRules?.message}>
        {(props) => <Select {...props} {...register("settings.textRules")} options={textRuleSetOptions} />}
      </Setting>
    </TopicForm>
  );
}

export function PasswordsPage({ settings, mayChange }: RulesPageProps) {
  const form = useRulesForm(settings, ["passwordMinimum"], ["settings.passwordMinimum"]);
  const { register } = form;
  const { errors } = form.formState;
  return (
    <TopicForm title={topicTitleOf("passwords")} form={form} mayChange={mayChange}>
      <Setting
        size="number"
        label={texts.password}
        hint={texts.passwordHint}
        error={errors.settings?.passwordMinimum?.message}
      >
        {(props) => (
          <Input
            {...props}
            {...register("settings.passwordMinimum", numberOrNull)}
            type="number"
            inputMode="numeric"
            min={6}
          />
        )}
      </Setting>
    </TopicForm>
  );
}

/** Sets the email address of a witness. The witness can prove later that no version was rewritten. */
export function ProofPage({ settings, mayChange }: RulesPageProps) {
  const form = useRulesForm(settings, ["witnessEmail"], ["settings.witnessEmail"]);
  const { register } = form;
  const { errors } = form.formState;
  return (
    <TopicForm title={topicTitleOf("proof")} form={form} mayChange={mayChange}>
      <Setting label={texts.witness} hint={texts.witnessHint} error={errors.settings?.witnessEmail?.message}>
        {(props) => <Input {...props} {...register("settings.witnessEmail")} type="email" autoComplete="off" />}
      </Setting>
    </TopicForm>
  );
}

const budgets = [
  { name: "aiUserTokensPerDay", label: aiTexts.perUser },
  { name: "aiCompanyTokensPerMonth", label: aiTexts.perCompany },
] as const;

/** Sets whether the company uses AI, and how much it can spend on the server's key. */
export function AiPage({ settings, mayChange }: RulesPageProps) {
  const form = useRulesForm(
    settings,
    ["aiEnabled", "aiUserTokensPerDay", "aiCompanyTokensPerMonth"],
    ["settings.aiUserTokensPerDay", "settings.aiCompanyTokensPerMonth"],
  );
  const { register } = form;
  const { errors } = form.formState;
  return (
    <TopicForm title={topicTitleOf("ai")} form={form} mayChange={mayChange} after={<CompanyAiUsage />}>
      <div className={settingStyle}>
        <Switch {...register("settings.aiEnabled")} label={aiTexts.enabled} hint={aiTexts.enabledHint} />
      </div>
      {budgets.map(({ name, label }) => (
        <Setting
          key={name}
          size="number"
          label={label}
          hint={aiTexts.budgetHint}
          error={errors.settings?.[name]?.message}
        >
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
        </Setting>
      ))}
    </TopicForm>
  );
}

/**
 * A form for the company's rules named in `keys`. It sends only these rules, so that it doesn't overwrite rules that
 * others save.
 */
function useRulesForm(settings: Settings, keys: readonly RuleName[], fields: readonly Path<RulesValues>[]) {
  const toast = useToast();
  const update = useWrite("company", "update");
  const valuesOf = (all: Settings): RulesValues => ({
    settings: Object.fromEntries(keys.map((key) => [key, all[key]])) as RulesValues["settings"],
  });
  return useServerForm<RulesValues>({
    resolver,
    values: valuesOf(settings),
    resetOptions: { keepDirtyValues: true },
    fields,
    failed: texts.failed,
    send: async (values, form) => {
      const saved = await update.mutateAsync({ body: values });
      form.reset(valuesOf(saved.settings), { keepDirtyValues: false });
      toast({ title: texts.saved });
    },
  });
}
