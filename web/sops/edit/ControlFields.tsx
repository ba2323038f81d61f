import { Controller, useWatch, type Control, type FieldErrors, type UseFormRegister } from "react-hook-form";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { useMay, useMe } from "../../session.tsx";
import { Card } from "../../ui/Card.tsx";
import { Field } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Select, type Option } from "../../ui/Select.tsx";
import { controlTexts as texts } from "./edit-texts.ts";

const classes: readonly Option[] = [
  { value: "major", label: texts.major },
  { value: "minor", label: texts.minor },
];

interface ControlFieldsProps {
  register: UseFormRegister<SopForm>;
  errors: FieldErrors<SopForm>;
  control: Control<SopForm>;
  sop: Sop | null;
}

/** Whose the SOP is, from when it holds, when it is looked at again, and what kind of change this is. */
export function ControlFields({ register, errors, control, sop }: ControlFieldsProps) {
  const may = useMay();
  const owners = useOwners(sop);
  const teams = useTeams(sop, control);
  const isFixed = sop !== null && !may("sop.share", sop);
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <h2 className="font-semibold">{texts.heading}</h2>
      <Controller
        control={control}
        name="ownerId"
        render={({ field }) => (
          <Field
            label={texts.owner}
            hint={isFixed ? texts.ownerFixed : texts.ownerHint}
            error={errors.ownerId?.message}
          >
            {(own) => <Select {...own} {...field} options={owners} disabled={isFixed} />}
          </Field>
        )}
      />
      {teams.length > 1 && (
        <Controller
          control={control}
          name="teamId"
          render={({ field }) => (
            <Field label={texts.team} hint={isFixed ? texts.teamFixed : texts.teamHint} error={errors.teamId?.message}>
              {(own) => <Select {...own} {...field} options={teams} disabled={isFixed} />}
            </Field>
          )}
        />
      )}
      <Field label={texts.effective} optional hint={texts.effectiveHint} error={errors.effectiveAt?.message}>
        {(own) => <Input {...own} {...register("effectiveAt")} type="date" />}
      </Field>
      <Field label={texts.review} optional hint={texts.reviewHint} error={errors.reviewBy?.message}>
        {(own) => <Input {...own} {...register("reviewBy")} type="date" />}
      </Field>
      <Field label={texts.changeClass} hint={texts.changeClassHint} error={errors.changeClass?.message}>
        {(own) => <Select {...own} {...register("changeClass")} options={classes} />}
      </Field>
    </Card>
  );
}

/** An owner who can't sign in anymore stays until another is chosen. */
function useOwners(sop: Sop | null): Option[] {
  const people = useRead("users", "list", {}).data ?? [];
  const me = useMe();
  // a new SOP belongs to its author; don't list them twice
  const others = sop ? people : people.filter(({ id }) => id !== me.id);
  const options = others.map(({ id, name }) => ({ value: id, label: id === me.id ? texts.me(name) : name }));
  const { ownerId = null, control } = sop ?? {};
  if (ownerId !== null && !options.some(({ value }) => value === ownerId)) {
    options.unshift({ value: ownerId, label: control?.owner?.name ?? texts.unknownOwner });
  }
  return [{ value: "", label: sop ? texts.noOwner : texts.me(me.name) }, ...options];
}

/** A new SOP takes the team of its category unless another one is named. */
function useTeams(sop: Sop | null, control: Control<SopForm>): Option[] {
  const teams = useRead("teams", "list", {}).data ?? [];
  const categories = useRead("categories", "list", {}).data ?? [];
  const categoryId = useWatch({ control, name: "categoryId" });
  const inherited = sop === null && categories.find(({ id }) => id === categoryId)?.teamId;
  const ofCategory = teams.find(({ id }) => id === inherited);
  return [
    { value: "", label: ofCategory ? texts.ofCategory(ofCategory.name) : texts.noTeam },
    ...teams.map(({ id, name }) => ({ value: id, label: name })),
  ];
}
