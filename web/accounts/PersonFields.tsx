/** What registration and set-up ask of a person alike. */
import type { FieldErrors, UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { texts } from "./texts.ts";

interface PersonValues {
  username: string;
  password: string;
  confirmation: string;
  name: string;
}

interface PersonFieldsProps {
  /** `(name) => register(name)` of the form around. */
  register(name: keyof PersonValues): UseFormRegisterReturn;
  errors: FieldErrors<PersonValues>;
}

export function PersonFields({ register, errors }: PersonFieldsProps) {
  return (
    <>
      <Field label={texts.name} error={errors.name?.message}>
        {(control) => <Input {...control} {...register("name")} autoComplete="name" />}
      </Field>
      <Field label={texts.username} error={errors.username?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("username")}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label={texts.password} hint={texts.passwordHint} error={errors.password?.message}>
        {(control) => <Input {...control} {...register("password")} type="password" autoComplete="new-password" />}
      </Field>
      <Field label={texts.confirmation} error={errors.confirmation?.message}>
        {(control) => <Input {...control} {...register("confirmation")} type="password" autoComplete="new-password" />}
      </Field>
    </>
  );
}
