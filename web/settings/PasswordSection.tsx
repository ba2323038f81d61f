import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { newPassword } from "#core/sign-in/schema.ts";
import { PasswordFields } from "../sign-in/PasswordFields.tsx";
import { queryKeyOf, useWrite } from "../api.ts";
import { useAccountRules, useMe, useSession } from "../session.tsx";
import { LeaveGuard } from "../shell/LeaveGuard.tsx";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Form } from "../ui/Form.tsx";
import { Input } from "../ui/Input.tsx";
import { useToast } from "../ui/Toast.tsx";
import { useServerForm } from "../use-server-form.ts";
import { Section } from "./Section.tsx";
import { passwordTexts } from "./texts.ts";
import { formErrors } from "../form-errors.ts";

const PasswordForm = z
  .object({
    currentPassword: z.string().min(1, { error: () => passwordTexts.missing }),
    newPassword,
    confirmation: z.string(),
  })
  .refine((form) => form.newPassword === form.confirmation, {
    error: () => passwordTexts.mismatch,
    path: ["confirmation"],
  });

type PasswordValues = z.input<typeof PasswordForm>;

const resolver = zodResolver(PasswordForm, formErrors);

const empty: PasswordValues = { currentPassword: "", newPassword: "", confirmation: "" };

export function PasswordSection() {
  const me = useMe();
  const toast = useToast();
  const change = useWrite("account", "changePassword");
  const queryClient = useQueryClient();
  const { leave } = useSession();
  const { passwordMinimum } = useAccountRules();
  const form = useServerForm<PasswordValues>({
    resolver,
    defaultValues: empty,
    fields: ["currentPassword", "newPassword"],
    failed: passwordTexts.failed,
    async send({ currentPassword, newPassword }, { reset }) {
      // The server ends the old session before its answer brings the new one.
      leave(true);
      try {
        await change.mutateAsync({ body: { currentPassword, newPassword } });
        await queryClient.invalidateQueries({ queryKey: queryKeyOf("auth", "check") });
      } finally {
        leave(false);
      }
      reset(empty);
      toast({ title: passwordTexts.doneTitle, description: passwordTexts.done });
    },
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  return (
    <Section id="password" title={passwordTexts.title} description={passwordTexts.description}>
      <div className="max-w-sm">
        <Form onSubmit={form.submit} error={errors.root?.message} label={passwordTexts.title}>
          {/* This hidden field tells password managers whose password changes. */}
          <input hidden readOnly autoComplete="username" value={me.username} />
          <Field label={passwordTexts.current} error={errors.currentPassword?.message}>
            {(control) => (
              <Input
                {...control}
                {...form.register("currentPassword")}
                type="password"
                autoComplete="current-password"
              />
            )}
          </Field>
          <PasswordFields
            label={passwordTexts.next}
            password={() => form.register("newPassword")}
            confirmation={() => form.register("confirmation")}
            errors={{ password: errors.newPassword, confirmation: errors.confirmation }}
            minimum={passwordMinimum}
          />
          <Button type="submit" variant="primary" busy={isSubmitting} className="justify-self-start">
            {passwordTexts.submit}
          </Button>
          <LeaveGuard isDirty={isDirty} onLeave={() => form.reset(empty)} />
        </Form>
      </div>
    </Section>
  );
}
