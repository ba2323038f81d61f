import { zodResolver } from "@hookform/resolvers/zod";
import { startTransition, type ReactNode } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import type { z } from "zod";
import { RegisterForm as RegisterSchema } from "#core/sign-in/schema.ts";
import { useWrite } from "../api.ts";
import { useAccountRules, useSession } from "../session.tsx";
import { SignedOutGuard } from "../shell/Guard.tsx";
import { PublicPage } from "../shell/PublicPage.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { InvitationPage } from "./InvitationPage.tsx";
import { takeOpenedLink } from "./opened-link.ts";
import { PersonForm } from "./PersonForm.tsx";
import { texts } from "./texts.ts";
import { formErrors } from "../form-errors.ts";

type RegisterValues = z.input<typeof RegisterSchema>;

const resolver = zodResolver(RegisterSchema, formErrors);

/**
 * With `?invite=` the user joins a company. Without it, the user creates one, if the server allows that to everyone.
 */
export function RegisterPage() {
  const [params] = useSearchParams();
  const invite = params.get("invite");
  if (invite !== null) {
    return (
      <InvitationPage token={invite} footer={<LoginLink />}>
        {(email) => <RegisterForm invite={invite} email={email} />}
      </InvitationPage>
    );
  }
  return (
    <SignedOutGuard>
      <RegistrationWithoutInvitation />
    </SignedOutGuard>
  );
}

function RegistrationWithoutInvitation(): ReactNode {
  const { registration } = useAccountRules();
  if (registration === "open") {
    return (
      <PublicPage title={texts.registerTitle} subtitle={texts.registerSubtitle} footer={<LoginLink />}>
        <RegisterForm />
      </PublicPage>
    );
  }
  const invited = registration === "invite";
  return (
    <PublicPage
      title={invited ? texts.registrationInvited : texts.registrationClosed}
      subtitle={invited ? texts.registrationInvitedText : texts.registrationClosedText}
      footer={<LoginLink />}
    />
  );
}

function LoginLink() {
  return (
    <>
      {texts.haveAccount}{" "}
      <Link to="/login" className="font-medium text-primary hover:underline">
        {texts.toLogin}
      </Link>
    </>
  );
}

function RegisterForm({ invite, email: invited = "" }: { invite?: string; email?: string }) {
  const session = useSession();
  const navigate = useNavigate();
  const registration = useWrite("auth", "register");
  const { sendsEmail } = useAccountRules();
  const sendRegistration = async ({ name, username, password, email }: RegisterValues) => {
    const { user } = await registration.mutateAsync({
      body: { name, username, password, ...(email && { email }), ...(invite !== undefined && { invite }) },
    });
    // One update changes path and session, so that the invitation page never sees a signed-in user.
    startTransition(() => {
      const opened = takeOpenedLink();
      // A user who creates a company answers questions about it first.
      void navigate(invite === undefined ? "/start" : (opened ?? "/"), { replace: true });
      session.restart(user);
    });
  };
  return (
    <PersonForm<RegisterValues>
      resolver={resolver}
      start={{ email: invited }}
      last="email"
      button={texts.register}
      failed={texts.registerFailed}
      send={sendRegistration}
    >
      {({ register, formState }) => (
        <Field
          label={texts.email}
          optional
          hint={sendsEmail && texts.emailHint}
          error={formState.errors.email?.message}
        >
          {(control) => <Input {...control} {...register("email")} type="email" autoComplete="email" />}
        </Field>
      )}
    </PersonForm>
  );
}
