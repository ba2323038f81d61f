import { useState } from "react";
import type { FieldError, UseFormRegisterReturn } from "react-hook-form";
import { Checkbox } from "../ui/Checkbox.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { texts } from "./texts.ts";

interface PasswordFieldsProps {
  /** Registers the field when it renders. Of several fields with errors, the first registered one gets the focus. */
  password(): UseFormRegisterReturn;
  confirmation(): UseFormRegisterReturn;
  errors: Partial<Record<"password" | "confirmation", FieldError | undefined>>;
  /** The minimum number of characters. */
  minimum: number;
  label?: string;
}

/**
 * Two fields for a new password. The check box that shows both comes after them, so that Tab goes from the first to the
 * second.
 */
export function PasswordFields({
  password,
  confirmation,
  errors,
  minimum,
  label = texts.password,
}: PasswordFieldsProps) {
  const [isShown, setShown] = useState(false);
  const both = {
    type: isShown ? "text" : "password",
    autoComplete: "new-password",
    autoCapitalize: "none",
    spellCheck: false,
  };
  return (
    <>
      <Field label={label} hint={texts.passwordHint({ minimum })} error={errors.password?.message}>
        {(control) => <Input {...control} {...password()} {...both} />}
      </Field>
      <div className="grid gap-2">
        <Field label={texts.confirmation} error={errors.confirmation?.message}>
          {(control) => <Input {...control} {...confirmation()} {...both} />}
        </Field>
        <Checkbox label={texts.showPassword} checked={isShown} onChange={() => setShown(!isShown)} />
      </div>
    </>
  );
}
