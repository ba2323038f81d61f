import { companySizeLabels, companySizes } from "#core/companies/rules.ts";
import { useWrite, type Output } from "../../api.ts";
import { Input } from "../../ui/Input.tsx";
import { Select } from "../../ui/Select.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { useServerForm } from "../../use-server-form.ts";
import { profileResolver as resolver, type CompanyProfileValues } from "./company-forms.ts";
import { LogoField } from "./LogoField.tsx";
import { Setting, settingStyle } from "./Setting.tsx";
import { TopicForm } from "./TopicForm.tsx";
import { texts } from "./texts.ts";
import { topicTitleOf } from "./topics.ts";

type OwnCompany = Output<"company", "get">;

const fields = ["name", "description", "website", "industry", "size", "logo"] as const;
const sizeOptions = [
  { value: "", label: texts.sizeUnknown },
  ...companySizes.map((value) => ({ value, label: companySizeLabels[value] })),
];

function companyProfileValuesOf(company: OwnCompany): CompanyProfileValues {
  return {
    name: company.name,
    description: company.description ?? "",
    website: company.website ?? "",
    industry: company.industry ?? "",
    size: companySizes.find((size) => size === company.size) ?? "",
    logo: company.logo ?? "",
  };
}

export function ProfileForm({ company, mayChange }: { company: OwnCompany; mayChange: boolean }) {
  const toast = useToast();
  const update = useWrite("company", "update");
  const form = useServerForm<CompanyProfileValues>({
    resolver,
    // Changes saved by other administrators appear, except in fields that this user is editing.
    values: companyProfileValuesOf(company),
    resetOptions: { keepDirtyValues: true },
    fields,
    failed: texts.profileFailed,
    send: async (values, form) => {
      const saved = await update.mutateAsync({ body: values });
      form.reset(companyProfileValuesOf(saved), { keepDirtyValues: false });
      toast({ title: texts.profileSaved });
    },
  });
  const { register, setValue, watch } = form;
  const { errors } = form.formState;
  return (
    <TopicForm title={topicTitleOf("profile")} form={form} mayChange={mayChange}>
      <Setting label={texts.name} error={errors.name?.message}>
        {(control) => <Input {...control} {...register("name")} autoComplete="organization" />}
      </Setting>
      <div className={settingStyle}>
        <LogoField
          value={watch("logo") ?? ""}
          error={errors.logo?.message}
          disabled={!mayChange}
          onChange={(logo) => setValue("logo", logo, { shouldDirty: true })}
        />
      </div>
      <Setting label={texts.industry} error={errors.industry?.message}>
        {(control) => <Input {...control} {...register("industry")} autoComplete="off" />}
      </Setting>
      <Setting label={texts.size} error={errors.size?.message}>
        {(control) => <Select {...control} {...register("size")} options={sizeOptions} />}
      </Setting>
      <Setting label={texts.website} error={errors.website?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("website")}
            type="url"
            placeholder={texts.websitePlaceholder}
            autoComplete="off"
          />
        )}
      </Setting>
      <Setting label={texts.description} error={errors.description?.message}>
        {(control) => <Textarea {...control} {...register("description")} maxLength={2000} />}
      </Setting>
    </TopicForm>
  );
}
