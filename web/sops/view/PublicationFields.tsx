/** Fields that are needed only when a version is published. */
import { clsx } from "clsx";
import { Calendar, ChevronDown } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { catalog } from "#core/language/catalog.ts";
import { Button } from "../../ui/Button.tsx";
import { Input } from "../../ui/Input.tsx";

const texts = catalog("sops.view.publication-fields", {
  again: "Must people read it again?",
  major: "Yes, a major change",
  majorHint: "People who confirmed reading are asked again.",
  asked:
    "{asked, plural, =0 {No one has to confirm reading so far.} one {# person is asked to confirm.} other {# people are asked to confirm.}}",
  minor: "No, a minor change",
  minorHint: "Confirmations stay valid.",
  effective: "Effective date",
  now: "Now",
  effectiveHint: "Leave empty for right away.",
});

export type ChangeClass = "major" | "minor";

interface ClassChoiceProps {
  value: ChangeClass;
  /** The number of people who must confirm a major change; undefined if it isn't known. */
  asked?: number | undefined;
  onChange(value: ChangeClass): void;
}

export function ChangeClassChoice({ value, asked, onChange }: ClassChoiceProps) {
  const name = useId();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{texts.again}</legend>
      {(["major", "minor"] as const).map((one) => (
        <label
          key={one}
          className={clsx(
            "flex cursor-pointer gap-3 rounded-md border px-3 py-2.5",
            value === one ? "border-primary bg-primary-soft" : "border-line",
          )}
        >
          <input
            type="radio"
            name={name}
            checked={value === one}
            onChange={() => onChange(one)}
            aria-describedby={`${name}${one}`}
            aria-label={texts[one]}
            className="mt-0.5 size-4 shrink-0"
          />
          <span>
            <span className="block font-medium">{texts[one]}</span>
            <span id={`${name}${one}`} className="text-t2 text-muted">
              {one === "minor" ? texts.minorHint : asked === undefined ? texts.majorHint : texts.asked({ asked })}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface DateChoiceProps {
  /** The chosen day; empty to publish right away. */
  value: string;
  onChange(value: string): void;
}

/** Publishes right away unless the user chooses a day. */
export function EffectiveDateChoice({ value, onChange }: DateChoiceProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    input.current?.focus();
    try {
      input.current?.showPicker();
    } catch {
      // A browser opens the picker only after a click or a key.
    }
  }, [isAsked]);
  if (!isAsked && value === "") {
    return (
      <Button
        variant="soft"
        aria-label={`${texts.effective}: ${texts.now}`}
        onClick={() => setAsked(true)}
        className="mr-auto sm:-ml-3"
      >
        <Calendar aria-hidden />
        {texts.now}
        <ChevronDown aria-hidden />
      </Button>
    );
  }
  return (
    <div className="mr-auto flex flex-wrap items-center gap-x-2">
      <label htmlFor={id} className="text-t2 text-muted">
        {texts.effective}
      </label>
      <Input
        ref={input}
        id={id}
        type="date"
        title={texts.effectiveHint}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="w-38!"
      />
    </div>
  );
}
