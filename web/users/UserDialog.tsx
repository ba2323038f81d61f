import { useForm, useWatch } from "react-hook-form";
import type { User } from "#core/users/schema.ts";
import { errorMessageOf, messageText, useWrite, type Output } from "../api.ts";
import { FormDialog } from "../ui/FormDialog.tsx";
import { showFieldErrors } from "../ui/server-errors.ts";
import { useToast } from "../ui/Toast.tsx";
import { useConfirm } from "../ui/use-confirm.ts";
import { texts } from "./texts.ts";
import { dialogTexts } from "./user-dialog-texts.ts";
import { userResolver as resolver, type UserValues } from "./user-form.ts";
import { UserFields } from "./UserFields.tsx";
import { UserConfirmDialog, type UserToConfirm } from "./UserConfirmDialog.tsx";
import type { UserScope } from "./user-scope.ts";
import type { OneTimeLink } from "./use-user-actions.ts";

const confirmVerbByStatus = { active: null, suspended: "suspend", deleted: "remove" } as const;

const fields = [
  "username",
  "email",
  "name",
  "password",
  "department",
  "title",
  "phone",
  "role",
  "status",
  "companyId",
] as const;

interface UserDialogProps {
  scope: UserScope;
  /** null for a new user. */
  user: User | null;
  onLink(link: OneTimeLink): void;
  onClose(): void;
}

export function UserDialog({ scope, user, onLink, onClose }: UserDialogProps) {
  const toast = useToast();
  const create = useWrite(scope.group, "create");
  const update = useWrite(scope.group, "update");
  const { register, handleSubmit, setError, formState, control } = useForm<UserValues>({
    resolver,
    defaultValues: userFormValuesOf(user, scope),
  });
  const role = useWatch({ control, name: "role" });
  const { errors, isSubmitting } = formState;

  const save = async ({ username, password, companyId, ...values }: UserValues) => {
    if (user) {
      // Only the values without a password are sent, because the dialog asks for none when editing.
      const changed = await update.mutateAsync({ params: { id: user.id }, body: values });
      const saved = texts.theChangesToAre({ name: values.name });
      toast({ title: texts.updated, description: [saved, noteTextOf(changed)].filter(Boolean).join(" ") });
      return;
    }
    const body = { ...values, username, ...(password && { password }), ...(companyId && { companyId }) };
    const created = await create.mutateAsync({ body });
    if (created.link !== undefined) onLink({ user: created, link: created.link, unsent: created.unsent });
    const isLinked = created.link !== undefined;
    toast({
      title: dialogTexts.created,
      description: [welcomeMessage(created, password !== "", isLinked), noteTextOf(created)].filter(Boolean).join(" "),
    });
  };

  const question = useConfirm<UserToConfirm>();
  const submit = handleSubmit(async (values) => {
    const verb = user && user.status !== values.status ? confirmVerbByStatus[values.status] : null;
    if (user && verb && !(await question.ask({ verb, user }))) return;
    try {
      await save(values);
      onClose();
    } catch (error) {
      if (showFieldErrors(error, fields, setError)) return;
      const message = errorMessageOf(error, user ? texts.updateFailed : dialogTexts.createFailed);
      setError("root", { message });
      if (!user) toast({ title: texts.error, description: message, variant: "destructive" });
    }
  });

  return (
    <FormDialog
      title={user ? dialogTexts.editTitle : dialogTexts.createTitle}
      description={user ? dialogTexts.editText : dialogTexts.createText}
      submitLabel={user ? dialogTexts.update : dialogTexts.create}
      busy={isSubmitting && !question.subject}
      error={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <UserFields register={register} role={role} errors={errors} user={user} scope={scope} />
      {question.subject && (
        <UserConfirmDialog
          subject={question.subject}
          carryOut={async () => {
            question.answer(true);
            // The form shows the server's refusal.
            return null;
          }}
          onClose={() => question.answer(false)}
        />
      )}
    </FormDialog>
  );
}

/** Says how the new user can sign in. */
function welcomeMessage({ name, username, email, status }: User, hasPassword: boolean, isLinked: boolean): string {
  if (status !== "active") return texts.canSignInOnce({ name });
  if (hasPassword) return texts.canSignInAs({ name, username });
  return isLinked ? texts.choosesAPasswordBy({ name }) : texts.aLinkToChoose({ email: email ?? "" });
}

function userFormValuesOf(user: User | null, { group, companyId }: UserScope): UserValues {
  return {
    username: user?.username ?? "",
    email: user?.email ?? "",
    name: user?.name ?? "",
    password: "",
    department: user?.department ?? "",
    title: user?.title ?? "",
    phone: user?.phone ?? "",
    role: user?.role ?? "viewer",
    status: user?.status ?? "active",
    ...(group === "adminUsers" && !user && { companyId: companyId ?? "" }),
  };
}

const noteTextOf = ({ note, sentence }: Output<"companyUsers", "update">) =>
  note && `${messageText({ message: note, reason: sentence })}.`;
