import { assignableRoles, roleLabel } from "#core/permissions/roles.ts";
import { invitationDays } from "#core/invitations/rules.ts";
import { useWrite, type Output } from "../../api.ts";
import { useMe } from "../../session.tsx";
import { FormDialog } from "../../ui/FormDialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Select } from "../../ui/Select.tsx";
import { useServerForm } from "../../use-server-form.ts";
import { invitationResolver as resolver, type InvitationValues } from "./company-forms.ts";
import { invitationTexts as texts } from "./texts.ts";

export type Created = Output<"invitations", "create">;

const fields = ["role", "email", "expiresInDays"] as const;
const lengths = [1, 3, invitationDays.default, 14, invitationDays.atMost];

interface InvitationDialogProps {
  onClose(): void;
  onCreated(invitation: Created): void;
}

export function InvitationDialog({ onClose, onCreated }: InvitationDialogProps) {
  const { role, emailVerified } = useMe();
  const sendsEmail = emailVerified || role === "system_admin";
  const create = useWrite("invitations", "create");
  const { register, formState, submit } = useServerForm<InvitationValues>({
    resolver,
    defaultValues: { role: "viewer", email: "", expiresInDays: invitationDays.default },
    fields,
    failed: texts.failed,
    send: async (values) => onCreated(await create.mutateAsync({ body: values })),
  });
  const { errors, isSubmitting } = formState;
  return (
    <FormDialog
      title={texts.createTitle}
      description={texts.createText}
      size="sm"
      submitLabel={texts.submit}
      busy={isSubmitting}
      error={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={texts.role} error={errors.role?.message}>
        {(control) => (
          <Select
            {...control}
            {...register("role")}
            options={assignableRoles(role).map((value) => ({ value, label: roleLabel(value) }))}
          />
        )}
      </Field>
      <Field
        label={texts.email}
        optional
        hint={sendsEmail ? texts.emailHint : texts.emailUnconfirmed}
        error={errors.email?.message}
      >
        {(control) => <Input {...control} {...register("email")} type="email" autoComplete="off" />}
      </Field>
      <Field label={texts.days} error={errors.expiresInDays?.message}>
        {(control) => (
          <Select
            {...control}
            {...register("expiresInDays", { valueAsNumber: true })}
            options={lengths.map((days) => ({ value: String(days), label: texts.day(days) }))}
          />
        )}
      </Field>
    </FormDialog>
  );
}
