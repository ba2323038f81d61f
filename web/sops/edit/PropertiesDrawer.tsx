/**
 * Less frequent properties: owner, team, tags, dates, language, template, status and checks, and on phones the
 * category. It starts closed.
 */
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { Controller, useWatch, type Control } from "react-hook-form";
import { readingMinutesOf } from "#core/markdown/read-time.ts";
import { fieldLabels } from "#core/sop-fields.ts";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useRead } from "../../api.ts";
import { useMay, useMe } from "../../session.tsx";
import { Drawer } from "../../ui/Drawer.tsx";
import type { SelectOption } from "../../ui/Select.tsx";
import { useMediaQuery } from "../../ui/use-media-query.ts";
import { boundaryText } from "../../ui/time.ts";
import { SwitchInput } from "../../ui/Switch.tsx";
import { barTexts, controlTexts, texts } from "./edit-texts.ts";
import { NumberProperty } from "./NumberProperty.tsx";
import { PropertyRow, quietControlStyle } from "./PropertyRow.tsx";
import { StatusPanel } from "./StatusPanel.tsx";
import type { SopEditing } from "./use-sop-editing.ts";

interface PropertiesDrawerProps {
  editing: SopEditing;
  categories: readonly SelectOption[];
  /** The list of findings of the checks. */
  checks: ReactNode;
  onClose(): void;
}

export function PropertiesDrawer({ onClose, ...rest }: PropertiesDrawerProps) {
  return (
    <Drawer open onClose={onClose} title={barTexts.properties}>
      <SopProperties {...rest} />
    </Drawer>
  );
}

function SopProperties({ editing, categories, checks }: Omit<PropertiesDrawerProps, "onClose">) {
  const { form, state } = editing;
  const { base: sop } = state;
  const { register, control } = form;
  const { errors } = form.formState;
  const may = useMay();
  const owners = useOwnerOptions(sop);
  const sharedName = useUsernameOfNamesake(sop, control);
  const teams = useSopTeamOptions(sop, control);
  const isFixed = sop !== null && !may("sop.share", sop);
  const isNarrow = useMediaQuery("(max-width: 639px)");
  const place = useRef<HTMLDivElement>(null);
  // Focuses the first invalid field. A layout effect runs before the drawer takes the focus.
  useLayoutEffect(() => place.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus(), []);
  return (
    <div ref={place}>
      {isNarrow && (
        <PropertyChoice
          control={control}
          name="categoryId"
          label={fieldLabels.categoryId}
          options={categories}
          placeholder={texts.categoryPlaceholder}
          error={errors.categoryId?.message}
        />
      )}
      <NumberProperty form={form} sop={sop} />
      <PublishedCategoryNote sop={sop} categories={categories} />
      <PropertyChoice
        control={control}
        name="ownerId"
        label={fieldLabels.ownerId}
        options={owners}
        disabled={isFixed}
        hint={isFixed ? controlTexts.ownerFixed : sharedName}
        error={errors.ownerId?.message}
      />
      {teams.length > 1 && (
        <PropertyChoice
          control={control}
          name="teamId"
          label={fieldLabels.teamId}
          options={teams}
          disabled={isFixed}
          hint={isFixed ? controlTexts.teamFixed : undefined}
          error={errors.teamId?.message}
        />
      )}
      <PropertyRow label={fieldLabels.tags} error={errors.tags?.message}>
        {(own) => (
          <input {...own} {...register("tags")} placeholder={controlTexts.tagsHint} className={quietControlStyle} />
        )}
      </PropertyRow>
      <PropertyRow label={fieldLabels.reviewBy} error={errors.reviewBy?.message}>
        {(own) => <input {...own} {...register("reviewBy")} type="date" className={quietControlStyle} />}
      </PropertyRow>
      <PropertyRow label={fieldLabels.lang} error={errors.lang?.message}>
        {(own) => (
          <input {...own} {...register("lang")} placeholder={controlTexts.languageHint} className={quietControlStyle} />
        )}
      </PropertyRow>
      <PropertyRow label={fieldLabels.isTemplate}>
        {(own) => (
          <span className="px-2">
            <SwitchInput {...own} {...register("isTemplate")} />
          </span>
        )}
      </PropertyRow>
      <PropertyRow
        label={fieldLabels.readTime}
        hint={controlTexts.fromText({ minutes: readingMinutesOf(form.getValues("markdown")) })}
        error={errors.readTime?.message}
      >
        {(own) => (
          <input
            {...own}
            {...register("readTime", { valueAsNumber: true })}
            type="number"
            inputMode="numeric"
            min={1}
            step={1}
            className={quietControlStyle}
          />
        )}
      </PropertyRow>
      <hr className="my-2 border-line" />
      <StatusPanel control={control} sop={sop} error={errors.status?.message} />
      {sop?.published && (
        <PropertyRow label={controlTexts.readersSee}>
          {({ id }) => (
            <output id={id} className="px-2 text-t2">
              {sop.published && publishedSinceText(sop.published)}
            </output>
          )}
        </PropertyRow>
      )}
      {checks}
    </div>
  );
}

interface ChoiceProps {
  control: Control<SopForm>;
  name: "categoryId" | "ownerId" | "teamId";
  label: string;
  options: readonly SelectOption[];
  placeholder?: string;
  disabled?: boolean;
  hint?: string | undefined;
  error?: string | undefined;
}

function PropertyChoice({ control, name, label, options, placeholder, disabled = false, hint, error }: ChoiceProps) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <PropertyRow label={label} hint={hint} error={error}>
          {(own) => (
            <select {...own} {...field} disabled={disabled} className={quietControlStyle}>
              {placeholder !== undefined && (
                <option value="" disabled>
                  {placeholder}
                </option>
              )}
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          )}
        </PropertyRow>
      )}
    />
  );
}

/** A note that the published version is in another category than the draft. */
function PublishedCategoryNote({ sop, categories }: { sop: Sop | null; categories: readonly SelectOption[] }) {
  if (!sop?.published || sop.publishedCategoryId === sop.categoryId) return null;
  const name = categories.find(({ value }) => value === sop.publishedCategoryId)?.label;
  if (!name) return null;
  return (
    <p className="pb-1 text-xs text-muted">{texts.readersKeepVersionIn({ version: sop.published.version, name })}</p>
  );
}

/** Returns the owners to choose from. The current owner stays listed even if that user can't sign in anymore. */
function useOwnerOptions(sop: Sop | null): SelectOption[] {
  const people = useRead("users", "list", {}).data ?? [];
  const me = useMe();
  // For a new SOP, the default option is the author, who is left out of the list to appear only once.
  const others = sop ? people : people.filter(({ id }) => id !== me.id);
  const options = others.map((person) => ({
    value: person.id,
    label: person.id === me.id ? controlTexts.me({ name: person.name }) : printedName(person),
  }));
  const { ownerId = null, control } = sop ?? {};
  if (ownerId !== null && !options.some(({ value }) => value === ownerId)) {
    options.unshift({ value: ownerId, label: control?.owner ? printedName(control.owner) : controlTexts.unknownOwner });
  }
  return [{ value: "", label: sop ? controlTexts.noOwner : controlTexts.me({ name: me.name }) }, ...options];
}

/** Returns the owner's username if another user has the same name, to be shown below the field. */
function useUsernameOfNamesake(sop: Sop | null, control: Control<SopForm>): string | undefined {
  const people = useRead("users", "list", {}).data ?? [];
  const ownerId = useWatch({ control, name: "ownerId" });
  const chosen = people.find(({ id }) => id === ownerId);
  if (chosen) return people.some((one) => one !== chosen && one.name === chosen.name) ? chosen.username : undefined;
  return sop !== null && sop.ownerId === ownerId && sop.owner?.hasNamesake ? sop.owner.username : undefined;
}

/** Returns the teams to choose from. A new SOP gets the team of its category unless the user chooses another team. */
function useSopTeamOptions(sop: Sop | null, control: Control<SopForm>): SelectOption[] {
  const teams = useRead("teams", "list", {}).data ?? [];
  const categories = useRead("categories", "list", {}).data ?? [];
  const categoryId = useWatch({ control, name: "categoryId" });
  const inherited = sop === null && categories.find(({ id }) => id === categoryId)?.teamId;
  const ofCategory = teams.find(({ id }) => id === inherited);
  return [
    { value: "", label: ofCategory ? controlTexts.ofCategory({ name: ofCategory.name }) : controlTexts.noTeam },
    ...teams.map(({ id, name }) => ({ value: id, label: name })),
  ];
}

function publishedSinceText({ version, effectiveAt }: NonNullable<Sop["published"]>): string {
  return effectiveAt
    ? controlTexts.versionSince({ version, since: boundaryText(effectiveAt) })
    : controlTexts.version({ version });
}
