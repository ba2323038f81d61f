import { useState } from "react";
import type { Resolver } from "react-hook-form";
import { linkForOthers } from "#core/export/other-devices.ts";
import { emailAddressesIn } from "#core/invitations/addresses.ts";
import { InvitationForm } from "#core/invitations/schema.ts";
import { assignableRoles, roleLabel, type Role } from "#core/permissions/roles.ts";
import { invitationDays } from "#core/invitations/rules.ts";
import { errorMessageOf, useWrite, type Output } from "../api.ts";
import { useMe, useInvitationUnsentReason } from "../session.tsx";
import { roleSentences } from "../permissions/role-summaries.ts";
import { Button } from "../ui/Button.tsx";
import { CopyField } from "../ui/CopyField.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { FormDialog } from "../ui/FormDialog.tsx";
import { OneTimeLinkDialog } from "../ui/OneTimeLinkDialog.tsx";
import { Select } from "../ui/Select.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import { boundaryText } from "../ui/time.ts";
import { useToast } from "../ui/Toast.tsx";
import { useServerForm } from "../use-server-form.ts";
import { inviteTexts as texts } from "./invite-texts.ts";

type CreatedInvitation = Output<"invitations", "create">;

interface InviteValues {
  role: Role;
  emails: string;
  expiresInDays: number;
}

const expiryDayChoices = [1, 3, invitationDays.default, 14, invitationDays.atMost];

const isEmailAddress = (address: string) => InvitationForm.shape.email.safeParse(address).success;

const invitationResolver: Resolver<InviteValues> = (values) => {
  const { addresses, unreadable } = emailAddressesIn(values.emails);
  const wrong = [...unreadable, ...addresses.filter((address) => !isEmailAddress(address))];
  // Text without an address is an error. Only an empty field asks for a link that anyone can use.
  if (addresses.length + wrong.length === 0 && values.emails.trim() !== "") wrong.push(values.emails.trim());
  if (wrong.length === 0) return { values, errors: {} };
  return {
    values: {},
    errors: { emails: { type: "address", message: texts.emailWrong({ wrong: wrong.join(", ") }) } },
  };
};

interface InviteDialogProps {
  /** The role that is chosen at first. */
  first?: Role;
  /** Called with the number of people who got an invitation. */
  onInvited?(count: number): void;
  onClose(): void;
}

/** Invites all pasted addresses with one role. Addresses that fail stay in the field. */
export function InviteDialog({ first = "viewer", onInvited, onClose }: InviteDialogProps) {
  const { role } = useMe();
  const unsent = useInvitationUnsentReason();
  const create = useWrite("invitations", "create");
  const toast = useToast();
  const [links, setLinks] = useState<readonly CreatedInvitation[]>([]);
  const { register, formState, submit, watch } = useServerForm<InviteValues>({
    resolver: invitationResolver,
    defaultValues: { role: first, emails: "", expiresInDays: invitationDays.default },
    fields: ["role", "emails", "expiresInDays"],
    failed: texts.failed,
    async send({ emails, ...values }, form) {
      const created: CreatedInvitation[] = [];
      const left: string[] = [];
      let failure: unknown = null;
      const { addresses } = emailAddressesIn(emails);
      for (const email of addresses.length === 0 ? [""] : addresses) {
        try {
          created.push(await create.mutateAsync({ body: { ...values, email } }));
        } catch (error) {
          failure = error;
          left.push(email);
        }
      }
      if (addresses.length === 0 && failure !== null) throw failure;
      if (created.length > 0) onInvited?.(created.length);
      const toHandOver = created.filter(
        (one) => one.email === null || one.unsent !== undefined || addresses.length === 1,
      );
      const mailed = created.filter((one) => one.email !== null && one.unsent === undefined);
      if (mailed.length > 0) toast({ title: texts.invited({ count: mailed.length }) });
      if (left.length > 0) {
        form.setValue("emails", left.join("\n"));
        form.setError("emails", {
          message: `${texts.notInvited({ failed: left.join(", ") })} ${errorMessageOf(failure, texts.failed)}`,
        });
        setLinks((before) => [...before, ...created.filter(({ unsent }) => unsent !== undefined)]);
      } else if (links.length + toHandOver.length > 0) {
        setLinks([...links, ...toHandOver]);
        setHandingOver(true);
      } else onClose();
    },
  });
  const [isHandingOver, setHandingOver] = useState(false);
  const { errors, isSubmitting } = formState;
  if (isHandingOver) return <InvitationLinks links={links} onClose={onClose} />;
  return (
    <FormDialog
      title={texts.createTitle}
      description={texts.createText}
      size="sm"
      submitLabel={watch("emails").trim() === "" ? texts.submitLink : texts.submit}
      busy={isSubmitting}
      error={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={texts.email}
        hint={unsent === null ? texts.emailHint : texts.emailUnsent[unsent]}
        error={errors.emails?.message}
      >
        {(control) => <Textarea {...control} {...register("emails")} rows={4} autoComplete="off" spellCheck={false} />}
      </Field>
      <Field label={texts.role} hint={roleSentences[watch("role")]} error={errors.role?.message}>
        {(control) => (
          <Select
            {...control}
            {...register("role")}
            options={assignableRoles(role).map((value) => ({ value, label: roleLabel(value) }))}
          />
        )}
      </Field>
      <Field label={texts.days} error={errors.expiresInDays?.message}>
        {(control) => (
          <Select
            {...control}
            {...register("expiresInDays", { valueAsNumber: true })}
            options={expiryDayChoices.map((days) => ({ value: String(days), label: texts.day({ days }) }))}
          />
        )}
      </Field>
    </FormDialog>
  );
}

/** Shows invitation links, which the server returns only once. */
function InvitationLinks({ links, onClose }: { links: readonly CreatedInvitation[]; onClose(): void }) {
  const [first] = links;
  if (first && links.length === 1) {
    const { unsent, role, email, expiresAt, link, replaced } = first;
    const facts = { role: roleLabel(role), until: boundaryText(expiresAt) };
    const about = email === null ? texts.linkTextAnyone(facts) : texts.linkText({ ...facts, email });
    return (
      <OneTimeLinkDialog
        title={texts.linkTitle}
        description={[unsent && texts.unsent[unsent], about, replaced && texts.replaced].filter(Boolean).join(" ")}
        link={link}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.linksTitle}
      description={first?.unsent && texts.unsent[first.unsent]}
      footer={
        <Button variant="primary" onClick={onClose}>
          {texts.done}
        </Button>
      }
    >
      <div className="grid gap-4">
        {links.map(({ id, email, role, link, replaced }) => (
          <CopyField
            key={id}
            label={texts.linkOf({ email: email ?? texts.anybody, role: roleLabel(role) })}
            {...(replaced && { hint: texts.replaced })}
            value={linkForOthers(window.location, link).href}
            copiedStatus={texts.copied}
            className="font-mono text-xs"
          />
        ))}
      </div>
    </Dialog>
  );
}
