/** Details that two saves changed differently. The user chooses one of the two values. */
import { useId } from "react";
import { fieldLabels } from "#core/sop-fields.ts";
import { sopFormValuesOf, type ComparedField } from "#core/sops/form-values.ts";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useRead } from "../../api.ts";
import { controlTexts } from "./edit-texts.ts";
import type { FieldSide } from "./merge-values.ts";

interface ConflictFieldsProps {
  title: string;
  differing: readonly ComparedField[];
  mine: SopForm;
  theirs: Sop;
  sides: readonly [mine: string, theirs: string];
  chosen: Partial<Record<ComparedField, FieldSide>>;
  onChoose(field: ComparedField, side: FieldSide): void;
  categoryName(id: string): string;
}

export function ConflictFields({
  title,
  differing,
  mine,
  theirs,
  sides,
  chosen,
  onChoose,
  categoryName,
}: ConflictFieldsProps) {
  const name = useId();
  const people = useRead("users", "list", {});
  const teams = useRead("teams", "list", {}, { enabled: differing.includes("teamId") });
  const fieldText = (field: ComparedField, from: SopForm): string => {
    const value = String(from[field]);
    if (field === "categoryId") return categoryName(from.categoryId);
    if (value === "") return field === "teamId" ? controlTexts.noTeam : "–";
    if (field === "teamId") return teams.data?.find(({ id }) => id === value)?.name ?? controlTexts.unknownTeam;
    if (field !== "ownerId") return value;
    const owner = people.data?.find(({ id }) => id === value) ?? theirs.control.owner;
    return owner ? printedName(owner) : controlTexts.unknownOwner;
  };
  const values = [mine, sopFormValuesOf(theirs)] as const;
  return (
    <section aria-label={title} className="grid gap-3 rounded-md bg-sunken px-4 py-3">
      <p className="text-sm font-semibold">{title}</p>
      {differing.map((field) => (
        <fieldset key={field} className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
          <legend className="text-sm text-muted">{fieldLabels[field]}</legend>
          {(["mine", "theirs"] as const).map((side, index) => (
            <label key={side} className="flex min-h-6 items-start gap-2 text-sm">
              <input
                type="radio"
                name={`${name}${field}`}
                checked={chosen[field] === side}
                onChange={() => onChoose(field, side)}
                className="mt-1 size-4 shrink-0"
              />
              <span className="min-w-0 break-words">
                {fieldText(field, values[index] ?? mine)} <span className="text-muted">· {sides[index]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </section>
  );
}
