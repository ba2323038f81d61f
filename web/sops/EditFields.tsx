import { Controller, type Control, type FieldErrors, type UseFormRegister } from "react-hook-form";
import type { Sop, SopForm, SopStatus } from "#core/sops/schema.ts";
import { useMay, useMe } from "../session.tsx";
import { Card } from "../ui/Card.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Select, type Option } from "../ui/Select.tsx";
import { statuses, StatusBadge } from "../ui/StatusBadge.tsx";
import { Switch } from "../ui/Switch.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import { statusHint } from "./edit-status-hint.ts";
import { texts } from "./edit-texts.ts";

interface FieldsProps {
  register: UseFormRegister<SopForm>;
  errors: FieldErrors<SopForm>;
}

export function TitleFields({ register, errors }: FieldsProps) {
  return (
    <div className="grid gap-4">
      <Field label={texts.title} error={errors.title?.message}>
        {(control) => (
          <Input {...control} {...register("title")} maxLength={200} placeholder={texts.titlePlaceholder} />
        )}
      </Field>
      <Field label={texts.description} hint={texts.descriptionHint} error={errors.description?.message}>
        {(control) => <Textarea {...control} {...register("description")} rows={2} maxLength={2000} />}
      </Field>
    </div>
  );
}

interface DetailsProps extends FieldsProps {
  control: Control<SopForm>;
  sop: Sop | null;
  categories: readonly Option[];
}

export function DetailFields({ register, errors, control, sop, categories }: DetailsProps) {
  return (
    <>
      <StatusPanel control={control} sop={sop} error={errors.status?.message} />
      <Card className="grid gap-4 p-4">
        <h2 className="font-semibold">{texts.details}</h2>
        <Controller
          control={control}
          name="categoryId"
          render={({ field }) => (
            <Field label={texts.category} error={errors.categoryId?.message}>
              {(own) => <Select {...own} {...field} options={categories} placeholder={texts.categoryPlaceholder} />}
            </Field>
          )}
        />
        <Field label={texts.readTime} error={errors.readTime?.message}>
          {(own) => (
            <Input
              {...own}
              {...register("readTime", { valueAsNumber: true })}
              type="number"
              inputMode="numeric"
              min={1}
              step={1}
            />
          )}
        </Field>
        <Switch label={texts.template} hint={texts.templateHint} {...register("isTemplate")} />
        <Field label={texts.changeNote} optional hint={texts.changeNoteHint} error={errors.changeNote?.message}>
          {(own) => <Textarea {...own} {...register("changeNote")} rows={2} maxLength={2000} />}
        </Field>
      </Card>
    </>
  );
}

const statusOptions = (Object.keys(statuses) as SopStatus[]).map((value) => ({ value, label: statuses[value].label }));

interface StatusPanelProps {
  control: Control<SopForm>;
  sop: Sop | null;
  error: string | undefined;
}

/** Any status may be picked (seed §4); what saving with it will do, or why it won't, stands under it. */
function StatusPanel({ control, sop, error }: StatusPanelProps) {
  const may = useMay();
  const { company, id, companyId } = useMe();
  const own = {
    companyId,
    authorId: id,
    ownerId: id,
    teamId: null,
    status: "draft",
    restricted: false,
    grants: [],
    approvers: [],
    published: null,
    version: 0,
  } as const;
  const rights = { publish: may("sop.publish", sop ?? own), archive: may("sop.archive", sop ?? own) };
  const documentControl = company.documentControl === "flexible" ? "flexible" : "strict";
  return (
    <Card className="grid gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{sop ? texts.workflow : texts.status}</h2>
        {sop && (
          <span className="flex items-center gap-2 text-muted">
            <StatusBadge status={sop.status} />v{sop.version}
          </span>
        )}
      </div>
      <Controller
        control={control}
        name="status"
        render={({ field }) => {
          const hint = statusHint(sop, field.value, rights, documentControl);
          return (
            <Field
              label={sop ? "Status after saving" : texts.status}
              error={error}
              hint={<span className={hint.refused ? "text-warning" : undefined}>{hint.text}</span>}
            >
              {(described) => <Select {...described} {...field} options={statusOptions} />}
            </Field>
          );
        }}
      />
    </Card>
  );
}
