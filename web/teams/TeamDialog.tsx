import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { TeamCreate } from "#core/teams/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { errorMessageOf, useRead, useWrite, type Output } from "../api.ts";
import { useMe } from "../session.tsx";
import { FormDialog } from "../ui/FormDialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Select } from "../ui/Select.tsx";
import { showFieldErrors } from "../ui/server-errors.ts";
import { Textarea } from "../ui/Textarea.tsx";
import { useToast } from "../ui/Toast.tsx";
import { texts } from "./texts.ts";
import { formErrors } from "../form-errors.ts";

const TeamForm = z.object({
  name: TeamCreate.shape.name,
  description: z.string().trim().max(500),
  ownerId: z.string(),
});
type TeamValues = z.input<typeof TeamForm>;

const resolver = zodResolver(TeamForm, formErrors);

export type Team = Output<"teams", "list">[number];

const fields = ["name", "description", "ownerId"] as const;

interface TeamDialogProps {
  /** null for a new team. */
  team: Team | null;
  /** True if the owner can be another person. */
  mayChooseOwner: boolean;
  onClose(): void;
  /** Called with a new team, so that its members can be added next. */
  onCreated(team: Team): void;
}

export function TeamDialog({ team, mayChooseOwner, onClose, onCreated }: TeamDialogProps) {
  const me = useMe();
  const toast = useToast();
  const people = useRead("users", "list", {});
  const create = useWrite("teams", "create");
  const update = useWrite("teams", "update");
  const { register, handleSubmit, setError, formState } = useForm<TeamValues>({
    resolver,
    defaultValues: { name: team?.name ?? "", description: team?.description ?? "", ownerId: team?.ownerId ?? me.id },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ name, description, ownerId }) => {
    const body = { name, description, ...(mayChooseOwner && { ownerId }) };
    try {
      if (team) {
        await update.mutateAsync({ params: { id: team.id }, body });
        toast({ title: texts.updated });
        onClose();
      } else {
        const created = await create.mutateAsync({ body });
        toast({ title: texts.created });
        onCreated(created);
      }
    } catch (error) {
      if (!showFieldErrors(error, fields, setError))
        setError("root", { message: errorMessageOf(error, texts.saveFailed) });
    }
  });

  const known = people.data ?? [];
  const isListed = !team || known.some(({ id }) => id === team.ownerId);
  const owners = [
    ...known.map((person) => ({ value: person.id, label: printedName(person) })),
    ...(isListed ? [] : [{ value: team.ownerId, label: team.ownerName }]),
  ];
  return (
    <FormDialog
      title={team ? texts.editTitle : texts.createTitle}
      description={team ? undefined : texts.createText}
      size="sm"
      submitLabel={team ? texts.update : texts.create}
      busy={isSubmitting}
      error={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={texts.name} error={errors.name?.message}>
        {(control) => <Input {...control} {...register("name")} autoComplete="off" />}
      </Field>
      <Field label={texts.description} optional error={errors.description?.message}>
        {(control) => <Textarea {...control} {...register("description")} />}
      </Field>
      {mayChooseOwner && people.data && (
        <Field label={texts.owner} hint={texts.ownerHint} error={errors.ownerId?.message}>
          {(control) => <Select {...control} {...register("ownerId")} options={owners} />}
        </Field>
      )}
    </FormDialog>
  );
}
