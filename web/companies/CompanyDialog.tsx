import { useForm } from "react-hook-form";
import type { Company } from "#core/companies/schema.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { FormDialog } from "../ui/FormDialog.tsx";
import { showFieldErrors } from "../ui/server-errors.ts";
import { useToast } from "../ui/Toast.tsx";
import { useConfirm } from "../ui/use-confirm.ts";
import { companyResolver as resolver, type CompanyValues } from "./company-form.ts";
import { CompanyFields } from "./CompanyFields.tsx";
import { CompanyConfirmDialog, type CompanyActionToConfirm } from "./CompanyConfirmDialog.tsx";
import { formTexts as texts } from "./form-texts.ts";
import { companyDefaults, companySizes } from "#core/companies/rules.ts";

/** The action to confirm before a company gets a status; null if none. */
const verbToConfirm = { active: null, suspended: "suspend", deleted: "remove" } as const;

const fields = [
  "name",
  "slug",
  "description",
  "website",
  "industry",
  "size",
  "subscription",
  "status",
  "maxUsers",
  "maxSOPs",
  "maxBytes",
] as const;

interface CompanyDialogProps {
  /** null for a new company. */
  company: Company | null;
  onClose(): void;
}

export function CompanyDialog({ company, onClose }: CompanyDialogProps) {
  const toast = useToast();
  const create = useWrite("companies", "create");
  const update = useWrite("companies", "update");
  const form = useForm<CompanyValues>({ resolver, defaultValues: companyFormValuesOf(company) });
  const { handleSubmit, setError, formState } = form;
  const { errors, isSubmitting } = formState;

  const question = useConfirm<CompanyActionToConfirm>();
  const submit = handleSubmit(async (values) => {
    const verb = company && company.status !== values.status ? verbToConfirm[values.status] : null;
    if (company && verb && !(await question.ask({ verb, company }))) return;
    try {
      if (company) await update.mutateAsync({ params: { id: company.id }, body: values });
      else await create.mutateAsync({ body: values });
    } catch (error) {
      if (showFieldErrors(error, fields, setError)) return;
      const message = errorMessageOf(error, company ? texts.updateFailed : texts.createFailed);
      setError("root", { message });
      if (!company) toast({ title: texts.error, description: message, variant: "destructive" });
      return;
    }
    toast({ title: company ? texts.updatedToast : texts.createdToast, description: values.name });
    onClose();
  });

  return (
    <FormDialog
      title={company ? texts.editTitle : texts.createTitle}
      submitLabel={company ? texts.update : texts.create}
      busy={isSubmitting && !question.subject}
      error={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <CompanyFields form={form} company={company} />
      {question.subject && (
        <CompanyConfirmDialog
          subject={question.subject}
          onConfirm={() => question.answer(true)}
          onClose={() => question.answer(false)}
        />
      )}
    </FormDialog>
  );
}

/** The initial values: those of the company, or the defaults. */
function companyFormValuesOf(company: Company | null): CompanyValues {
  return {
    name: company?.name ?? "",
    slug: company?.slug ?? "",
    description: company?.description ?? "",
    website: company?.website ?? "",
    industry: company?.industry ?? "",
    size: companySizes.find((size) => size === company?.size) ?? "",
    subscription: (company?.subscription ?? companyDefaults.subscription) as CompanyValues["subscription"],
    status: company?.status ?? companyDefaults.status,
    maxUsers: company?.maxUsers ?? companyDefaults.maxUsers,
    maxSOPs: company?.maxSOPs ?? companyDefaults.maxSOPs,
    maxBytes: company?.maxBytes,
  };
}
