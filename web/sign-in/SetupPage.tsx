import { zodResolver } from "@hookform/resolvers/zod";
import { startTransition } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { z } from "zod";
import { Setup } from "#core/sign-in/schema.ts";
import { useWrite } from "../api.ts";
import { useSession } from "../session.tsx";
import { PublicPage } from "../shell/PublicPage.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { PersonForm } from "./PersonForm.tsx";
import { texts } from "./texts.ts";
import { formErrors } from "../form-errors.ts";

const SetupRules = Setup.extend({ confirmation: z.string() }).refine((form) => form.password === form.confirmation, {
  error: () => texts.mismatch,
  path: ["confirmation"],
});

type SetupValues = z.input<typeof SetupRules>;

const resolver = zodResolver(SetupRules, formErrors);

/** The page behind the one-time link of a new installation. */
export function SetupPage() {
  const [params] = useSearchParams();
  const token = params.get("token");
  if (!token) return <PublicPage title={texts.setupLinkMissing} subtitle={texts.setupLinkMissingText} />;
  return (
    <PublicPage title={texts.setupTitle} subtitle={texts.setupSubtitle}>
      <SetupForm token={token} />
    </PublicPage>
  );
}

function SetupForm({ token }: { token: string }) {
  const session = useSession();
  const navigate = useNavigate();
  const setup = useWrite("auth", "setup");
  const sendSetup = async ({ name, username, password, company }: SetupValues) => {
    const { user } = await setup.mutateAsync({
      body: { token, name, username, password, ...(company && { company }) },
    });
    startTransition(() => {
      void navigate("/", { replace: true });
      session.restart(user);
    });
  };
  return (
    <PersonForm<SetupValues>
      resolver={resolver}
      start={{ token }}
      last="company"
      button={texts.setup}
      failed={texts.setupFailed}
      send={sendSetup}
    >
      {({ register, formState }) => (
        <Field label={texts.company} optional hint={texts.companyHint} error={formState.errors.company?.message}>
          {(control) => (
            <Input
              {...control}
              {...register("company", { setValueAs: (value: string | undefined) => value?.trim() || undefined })}
              autoComplete="organization"
            />
          )}
        </Field>
      )}
    </PersonForm>
  );
}
