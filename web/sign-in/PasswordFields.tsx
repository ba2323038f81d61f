import type { FieldError, UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../ui/Field.tsx";
import { PasswordInput } from "./PasswordInput.tsx";
import { texts } from "./texts.ts";

interface PasswordFieldsProps {
  /** Registers either field, when it is its turn: of several wrong ones the first registered is focused. */
  password(): UseFormRegisterReturn;
  confirmation(): UseFormRegisterReturn;
  errors: Partial<Record<"password" | "confirmation", FieldError | undefined>>;
  /** Characters that the server wants. */
  minimum: number;
  label?: string;
}

/** A new password, twice. */
export function PasswordFields({
  password,
  confirmation,
  errors,
  minimum,
  label = texts.password,
}: PasswordFieldsProps) {
  return (
    <>
      <Field label={label} hint={texts.passwordHint(minimum)} error={errors.password?.message}>
        {(control) => <PasswordInput {...control} {...password()} autoComplete="new-password" />}
      </Field>
      <Field label={texts.confirmation} error={errors.confirmation?.message}>
        {(control) => <PasswordInput {...control} {...confirmation()} autoComplete="new-password" />}
      </Field>
    </>
  );
}
