import type { Company } from "#core/companies/schema.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { useToast } from "../ui/Toast.tsx";
import { CompanyConfirmDialog } from "./CompanyConfirmDialog.tsx";
import { texts } from "./texts.ts";

export function RemoveCompanyDialog({ company, onClose }: { company: Company; onClose(): void }) {
  const toast = useToast();
  const remove = useWrite("companies", "remove");
  const removeCompany = () =>
    remove.mutate(
      { params: { id: company.id } },
      {
        onSuccess: () => {
          toast({ title: texts.removedToast, description: texts.isClosed({ name: company.name }) });
          onClose();
        },
      },
    );
  const why = errorMessageOf(remove.error, "");
  return (
    <CompanyConfirmDialog
      subject={{ verb: "remove", company }}
      busy={remove.isPending}
      onConfirm={removeCompany}
      onClose={onClose}
    >
      {remove.isError && (
        <Alert tone="destructive" live title={texts.removeFailed}>
          {why || null}
        </Alert>
      )}
    </CompanyConfirmDialog>
  );
}
