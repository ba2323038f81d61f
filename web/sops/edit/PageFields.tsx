/** Title and description as readers will see them, without labels and frames. */
import { useEffect, useId, type KeyboardEvent } from "react";
import type { FieldErrors, UseFormRegister } from "react-hook-form";
import type { SopForm } from "#core/sops/schema.ts";
import { FieldError } from "../../ui/Field.tsx";
import type { Direction } from "../direction.ts";
import { texts } from "./edit-texts.ts";

interface PageFieldsProps {
  register: UseFormRegister<SopForm>;
  /** The direction of the whole text. A field that is filled before the others uses its own letters. */
  dir: Direction;
  errors: FieldErrors<SopForm>;
  /** Moves the focus to the title of a new SOP; null for an existing SOP. */
  focusTitle: (() => void) | null;
  onTitleEnd(): void;
  /** Called when Enter leaves the last field, so that the text takes the focus. */
  onEnd(): void;
}

const plain = "field-sizing-content block w-full resize-none bg-transparent outline-none";

export function PageFields({ register, dir, errors, focusTitle, onTitleEnd, onEnd }: PageFieldsProps) {
  const [titleError, descriptionError] = [useId(), useId()];
  useEffect(() => {
    focusTitle?.();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the page opens
  }, []);
  /** Moves to the next field on Enter, because title and description are a single paragraph each. */
  const onEnter = (go: () => void) => (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    go();
  };
  return (
    <div>
      <textarea
        {...register("title", { onBlur: onTitleEnd })}
        dir={dir === "rtl" ? "rtl" : "auto"}
        rows={1}
        maxLength={200}
        aria-label={texts.title}
        aria-invalid={errors.title ? true : undefined}
        aria-describedby={errors.title ? titleError : undefined}
        placeholder={texts.titlePlaceholder}
        onKeyDown={onEnter(() => document.querySelector<HTMLElement>("textarea[name=description]")?.focus())}
        className={`${plain} text-[2rem]/10 font-[650] tracking-[-0.015em] placeholder:text-control max-sm:text-[1.625rem]/8`}
      />
      <FieldError id={titleError} message={errors.title?.message} />
      <textarea
        {...register("description")}
        dir={dir === "rtl" ? "rtl" : "auto"}
        rows={1}
        maxLength={2000}
        aria-label={texts.description}
        aria-invalid={errors.description ? true : undefined}
        aria-describedby={errors.description ? descriptionError : undefined}
        placeholder={texts.descriptionHint}
        onKeyDown={onEnter(onEnd)}
        className={`${plain} mt-2 text-t4`}
      />
      <FieldError id={descriptionError} message={errors.description?.message} />
    </div>
  );
}
