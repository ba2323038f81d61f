/** The form for registration and set-up: fields about the person, one more field, and a button. */
import type { ReactNode } from "react";
import type { DefaultValues, FieldErrors, FieldValues, Path, Resolver, UseFormRegisterReturn } from "react-hook-form";
import { useAccountRules } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Form } from "../ui/Form.tsx";
import { Input } from "../ui/Input.tsx";
import { useServerForm, type ServerForm } from "../use-server-form.ts";
import { PasswordFields } from "./PasswordFields.tsx";
import { texts } from "./texts.ts";

export interface PersonValues {
  username: string;
  password: string;
  confirmation: string;
  name: string;
}

interface PersonFormProps<T extends FieldValues & PersonValues> {
  resolver: Resolver<T>;
  /** Initial values of further fields. The fields about the person start empty. */
  start: Omit<T, keyof PersonValues>;
  /** The last field of the form. The server can report errors about it too. */
  last: Path<T>;
  button: string;
  failed: string;
  send(values: T): Promise<void>;
  children(form: ServerForm<T>): ReactNode;
}

export function PersonForm<T extends FieldValues & PersonValues>({
  resolver,
  start,
  last,
  button,
  failed,
  send,
  children,
}: PersonFormProps<T>) {
  const form = useServerForm<T>({
    resolver,
    defaultValues: { name: "", username: "", password: "", confirmation: "", ...start } as unknown as DefaultValues<T>,
    fields: [...personFields, last] as Path<T>[],
    failed,
    send,
  });
  const { passwordMinimum } = useAccountRules();
  const errors = form.formState.errors as FieldErrors<PersonValues>;
  const registerField = (name: keyof PersonValues): UseFormRegisterReturn => form.register(name as Path<T>);
  return (
    <Form onSubmit={form.submit} error={form.formState.errors.root?.message}>
      <Field label={texts.name} error={errors.name?.message}>
        {(control) => <Input {...control} {...registerField("name")} autoComplete="name" />}
      </Field>
      <Field label={texts.username} hint={texts.usernameHint} error={errors.username?.message}>
        {(control) => (
          <Input
            {...control}
            {...registerField("username")}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <PasswordFields
        password={() => registerField("password")}
        confirmation={() => registerField("confirmation")}
        errors={errors}
        minimum={passwordMinimum}
      />
      {children(form)}
      <Button type="submit" variant="primary" wide busy={form.formState.isSubmitting}>
        {button}
      </Button>
    </Form>
  );
}

const personFields = ["name", "username", "password"] as const;
