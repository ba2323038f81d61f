import { zodResolver } from "@hookform/resolvers/zod";
import type { Resolver } from "react-hook-form";
import { ProfileChange, type Me } from "#core/sign-in/schema.ts";
import { roleLabel } from "#core/permissions/roles.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { useAccountRules, useMay, useMe } from "../session.tsx";
import { countDirtyValues, SaveBar } from "../shell/SaveBar.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Form } from "../ui/Form.tsx";
import { Input } from "../ui/Input.tsx";
import { useToast } from "../ui/Toast.tsx";
import { useServerForm } from "../use-server-form.ts";
import { ImageField } from "./ImageField.tsx";
import { Section } from "./Section.tsx";
import { profileTexts } from "./texts.ts";
import { formErrors } from "../form-errors.ts";

/** In a form every field has a value, and an empty field is an empty text. */
const ProfileRules = ProfileChange.pick({
  name: true,
  initials: true,
  email: true,
  department: true,
  title: true,
  phone: true,
});

const resolver = zodResolver(ProfileRules, formErrors, { raw: true }) as unknown as Resolver<UserProfileValues>;

const profileFields = ["name", "initials", "email", "department", "title", "phone"] as const;
type UserProfileValues = Record<(typeof profileFields)[number], string>;

export function ProfileSection() {
  const me = useMe();
  const may = useMay();
  const { sendsEmail } = useAccountRules();
  return (
    <Section
      id="profile"
      title={profileTexts.title}
      description={profileTexts.description({
        username: me.username,
        role: roleLabel(me.role),
        company: me.company.name,
      })}
    >
      <div className="grid gap-6">
        {/* A user's image is stored like those of SOPs, so only users who can add images to SOPs get the field. */}
        {may("sop.create") && <ImageField />}
        {sendsEmail && me.email !== null && !me.emailVerified && <EmailConfirmation />}
        <UserProfileForm me={me} emailHint={sendsEmail ? profileTexts.emailHint : profileTexts.emailUnsent} />
      </div>
    </Section>
  );
}

function EmailConfirmation() {
  const toast = useToast();
  const confirmation = useWrite("account", "sendConfirmation");
  const sendConfirmation = async () => {
    try {
      await confirmation.mutateAsync({ body: {} });
      toast({ title: profileTexts.confirmationSent });
    } catch (error) {
      toast({
        title: profileTexts.confirmationFailed,
        description: errorMessageOf(error, ""),
        variant: "destructive",
      });
    }
  };
  return (
    <Alert tone="warning" title={profileTexts.unconfirmed}>
      <p className="mb-3">{profileTexts.unconfirmedText}</p>
      <Button size="sm" busy={confirmation.isPending} onClick={() => void sendConfirmation()}>
        {profileTexts.sendConfirmation}
      </Button>
    </Alert>
  );
}

function UserProfileForm({ me, emailHint }: { me: Me; emailHint: string }) {
  const toast = useToast();
  const update = useWrite("account", "update");
  const form = useServerForm<UserProfileValues>({
    resolver,
    // Changes made elsewhere appear here, except in fields that the user is editing.
    values: userProfileValuesOf(me),
    resetOptions: { keepDirtyValues: true },
    fields: profileFields,
    failed: profileTexts.failed,
    async send(values, { reset }) {
      const before = userProfileValuesOf(me);
      const changed = profileFields.filter((field) => values[field].trim() !== before[field]);
      const body = Object.fromEntries(changed.map((field) => [field, values[field]]));
      const { user } = await update.mutateAsync({ body });
      reset(userProfileValuesOf(user), { keepDirtyValues: false });
      toast({ title: profileTexts.saved });
    },
  });
  const { errors, isSubmitting, dirtyFields } = form.formState;
  return (
    <Form onSubmit={form.submit} error={errors.root?.message} label={profileTexts.title}>
      <div className="grid items-start gap-4 @md:grid-cols-[minmax(0,1fr)_9rem]">
        <Field label={profileTexts.name} error={errors.name?.message}>
          {(control) => <Input {...control} {...form.register("name")} autoComplete="name" />}
        </Field>
        <Field label={profileTexts.initials} hint={profileTexts.initialsHint} error={errors.initials?.message}>
          {(control) => <Input {...control} {...form.register("initials")} maxLength={4} autoComplete="off" />}
        </Field>
      </div>
      <Field label={profileTexts.email} hint={emailHint} error={errors.email?.message}>
        {(control) => <Input {...control} {...form.register("email")} type="email" autoComplete="email" />}
      </Field>
      <div className="grid items-start gap-4 @md:grid-cols-3">
        <Field label={profileTexts.department} optional error={errors.department?.message}>
          {(control) => <Input {...control} {...form.register("department")} autoComplete="off" />}
        </Field>
        <Field label={profileTexts.jobTitle} optional error={errors.title?.message}>
          {(control) => <Input {...control} {...form.register("title")} autoComplete="organization-title" />}
        </Field>
        <Field label={profileTexts.phone} optional error={errors.phone?.message}>
          {(control) => <Input {...control} {...form.register("phone")} type="tel" autoComplete="tel" />}
        </Field>
      </div>
      <SaveBar
        changes={countDirtyValues(dirtyFields)}
        busy={isSubmitting}
        onCancel={() => form.reset(userProfileValuesOf(me), { keepDirtyValues: false })}
      />
    </Form>
  );
}

function userProfileValuesOf(me: Me): UserProfileValues {
  const { name, initials, email, department, title, phone } = me;
  return {
    name,
    initials,
    email: email ?? "",
    department: department ?? "",
    title: title ?? "",
    phone: phone ?? "",
  };
}
