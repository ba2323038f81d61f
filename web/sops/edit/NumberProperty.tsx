/** The number. It can be chosen for a new SOP or a draft that was never published; later it is only shown. */
import { useWatch, type UseFormReturn } from "react-hook-form";
import { exampleNumber, hasFixedNumber } from "#core/numbers/numbers.ts";
import { fieldLabels } from "#core/sop-fields.ts";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { useMe } from "../../session.tsx";
import { controlTexts } from "./edit-texts.ts";
import { PropertyRow, quietControlStyle } from "./PropertyRow.tsx";

interface NumberPropertyProps {
  form: UseFormReturn<SopForm>;
  /** null for a new SOP. */
  sop: Sop | null;
}

export function NumberProperty({ form: { control, register, formState }, sop }: NumberPropertyProps) {
  const [number, categoryId] = useWatch({ control, name: ["number", "categoryId"] });
  const example = useExampleNumber(categoryId);
  // A number that was set before publishing and differs from the SOP's can still be corrected.
  const isFixed = sop !== null && hasFixedNumber(sop) && number === sop.number;
  const error = formState.errors.number?.message;
  return (
    <PropertyRow
      label={fieldLabels.number}
      hint={!sop && !error && example ? controlTexts.numberHint({ example }) : undefined}
      error={error}
    >
      {(own) =>
        isFixed ? (
          <output id={own.id} className="border border-transparent px-2 font-mono text-t2">
            {number}
          </output>
        ) : (
          <input
            {...own}
            {...register("number")}
            // If the field stays empty, an SOP keeps its number.
            placeholder={sop?.number ?? controlTexts.nextNumber}
            spellCheck={false}
            autoCapitalize="characters"
            autoComplete="off"
            className={`${quietControlStyle} font-mono placeholder:font-sans`}
          />
        )
      }
    </PropertyRow>
  );
}

/**
 * Returns an example of a number; undefined until the category is chosen, because a number can contain the category.
 */
function useExampleNumber(categoryId: string): string | undefined {
  const { company } = useMe();
  const categories = useRead("categories", "list", {}).data;
  const category = categories?.find(({ id }) => id === categoryId)?.slug;
  return category && exampleNumberOf(company.numberScheme, category);
}

function exampleNumberOf(scheme: string, category: string): string {
  return exampleNumber(scheme, { category, year: new Date().getUTCFullYear() });
}
