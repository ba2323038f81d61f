import { useId } from "react";
import type { Proposal } from "#core/proposals/schema.ts";
import { FactChange } from "../sops/diff/FactChange.tsx";
import { factLabel } from "../sops/diff/diff-texts.ts";
import { Section } from "../ui/Section.tsx";
import { texts } from "./texts.ts";

interface ProposedFieldsProps {
  fields: Proposal["fields"];
  /** Absent if the fields are only shown. */
  onChoose?: ((key: string, isTaken: boolean) => void) | undefined;
  chosen: ReadonlySet<string>;
}

/** Shows details such as the title: the current value and the proposed one. */
export function ProposedFields({ fields, chosen, onChoose }: ProposedFieldsProps) {
  const name = useId();
  if (fields.length === 0) return null;
  return (
    <Section title={texts.details}>
      <div className="grid gap-3 pt-3">
        {fields.map(({ key, current, proposed }) =>
          onChoose ? (
            <fieldset key={key} className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
              <legend className="text-sm text-muted">{factLabel(key)}</legend>
              {([current, proposed] as const).map((value, side) => (
                <label key={side} className="flex min-h-6 items-start gap-2 ps-1 text-sm">
                  <input
                    type="radio"
                    name={`${name}${key}`}
                    checked={chosen.has(key) === (side === 1)}
                    onChange={() => onChoose(key, side === 1)}
                    className="mt-1 size-4 shrink-0"
                  />
                  <span className="min-w-0 break-words">
                    <bdi>{value ?? texts.nothing}</bdi>{" "}
                    <span className="text-muted">· {side === 0 ? texts.current : texts.proposed}</span>
                  </span>
                </label>
              ))}
            </fieldset>
          ) : (
            <FactChange key={key} field={key} from={current} to={proposed} />
          ),
        )}
      </div>
    </Section>
  );
}
