import { useEffect, useRef } from "react";
import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { assignableRoles, roleLabel, type Role } from "#core/permissions/roles.ts";
import type { User } from "#core/users/schema.ts";
import { useRead } from "../api.ts";
import { roleSentences } from "../permissions/role-summaries.ts";
import { useAccountRules, useMe } from "../session.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Select } from "../ui/Select.tsx";
import { statusTexts, texts } from "./texts.ts";
import { dialogTexts } from "./user-dialog-texts.ts";
import type { UserValues } from "./user-form.ts";
import type { UserScope } from "./user-scope.ts";
import { selectOptionsOf } from "../ui/options.ts";

interface UserFieldsProps {
  register: UseFormRegister<UserValues>;
  role: Role;
  errors: FieldErrors<UserValues>;
  user: User | null;
  scope: UserScope;
}

/** The fields of the dialog, in the order shown. */
export function UserFields({ register, role, errors, user, scope }: UserFieldsProps) {
  const first = useFirstFieldFocus();
  const isMe = useMe().id === user?.id;
  const { sendsEmail } = useAccountRules();
  return (
    <div ref={first} className="grid items-start gap-4 sm:grid-cols-2">
      <Field label={dialogTexts.username} hint={user && dialogTexts.usernameFixed} error={errors.username?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("username")}
            disabled={user !== null}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label={dialogTexts.email}
        hint={isMe ? dialogTexts.ownEmail : sendsEmail && dialogTexts.emailHint}
        error={errors.email?.message}
      >
        {(control) => <Input {...control} {...register("email")} type="email" autoComplete="off" disabled={isMe} />}
      </Field>
      <Field label={dialogTexts.name} error={errors.name?.message}>
        {(control) => <Input {...control} {...register("name")} autoComplete="off" />}
      </Field>
      {!user && <PasswordField register={register} errors={errors} />}
      <Field label={texts.department} optional error={errors.department?.message}>
        {(control) => <Input {...control} {...register("department")} autoComplete="off" />}
      </Field>
      <Field label={dialogTexts.title} optional error={errors.title?.message}>
        {(control) => <Input {...control} {...register("title")} autoComplete="off" />}
      </Field>
      <Field label={dialogTexts.phone} optional error={errors.phone?.message}>
        {(control) => <Input {...control} {...register("phone")} type="tel" autoComplete="off" />}
      </Field>
      {!user && scope.group === "adminUsers" && scope.companyId === undefined && (
        <CompanyField register={register} errors={errors} />
      )}
      <RoleAndStatus register={register} role={role} errors={errors} isMe={isMe} user={user} />
    </div>
  );
}

type UserFieldProps = Pick<UserFieldsProps, "register" | "errors">;

function PasswordField({ register, errors }: UserFieldProps) {
  const check = useRead("auth", "check", {});
  return (
    <Field
      label={dialogTexts.password}
      hint={
        <>
          <span>{dialogTexts.minimum({ count: check.data?.passwordMinimum ?? 6 })}</span>
          <span className="block">{dialogTexts.passwordEmpty}</span>
        </>
      }
      error={errors.password?.message}
    >
      {(control) => <Input {...control} {...register("password")} type="password" autoComplete="new-password" />}
    </Field>
  );
}

/** Shown only to administrators of several companies. The default is their own company. */
function CompanyField({ register, errors }: UserFieldProps) {
  const { company } = useMe();
  const companies = useRead("companies", "list", { query: { limit: 200 } });
  const others = (companies.data?.data ?? []).filter(({ id }) => id !== company.id);
  return (
    <Field label={dialogTexts.company} error={errors.companyId?.message}>
      {(control) => (
        <Select
          {...control}
          {...register("companyId")}
          options={[{ value: "", label: company.name }, ...others.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
    </Field>
  );
}

interface RoleAndStatusProps extends UserFieldProps, Pick<UserFieldsProps, "role" | "user"> {
  isMe: boolean;
}

function RoleAndStatus({ register, role, errors, isMe, user }: RoleAndStatusProps) {
  const me = useMe();
  const assignable = isMe && user ? [user.role] : assignableRoles(me.role);
  const roleOptions = assignable.map((value) => ({ value, label: roleLabel(value) }));
  return (
    <>
      <Field label={texts.role} hint={isMe ? dialogTexts.ownRole : roleSentences[role]} error={errors.role?.message}>
        {(control) => <Select {...control} {...register("role")} options={roleOptions} disabled={isMe} />}
      </Field>
      <Field label={texts.status} hint={isMe && texts.ownStatus} error={errors.status?.message}>
        {(control) => (
          <Select
            {...control}
            {...register("status")}
            options={selectOptionsOf(statusTexts).filter(({ value }) => value !== "all")}
            disabled={isMe}
          />
        )}
      </Field>
    </>
  );
}

/** Moves the focus to the first text field, because the dialog would focus its Close button. */
function useFirstFieldFocus() {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector<HTMLInputElement>("input:not(:disabled)")?.focus(), []);
  return form;
}
