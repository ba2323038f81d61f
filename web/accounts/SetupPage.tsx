import { useForm } from "react-hook-form";
import { useNavigate, useSearchParams } from "react-router-dom";
import { startTransition } from "react";
import { messageOf, useWrite } from "../api.ts";
import { useSession } from "../session.tsx";
import { PublicPage } from "../shell/PublicPage.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { lazyResolver } from "../ui/lazy-resolver.ts";
import { showUnderFields } from "../ui/server-errors.ts";
import { PersonFields } from "./PersonFields.tsx";
import type { SetupValues } from "./setup-resolver.ts";
import { texts } from "./texts.ts";

const resolver = lazyResolver<SetupValues>(() => import("./setup-resolver.ts").then((module) => module.setupResolver));

const fields = ["name", "username", "password", "company"] as const;

/** The one-time link of a fresh installation leads here. */
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
  const { register, handleSubmit, setError, formState } = useForm<SetupValues>({
    resolver,
    defaultValues: { token, name: "", username: "", password: "", confirmation: "" },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ name, username, password, company }) => {
    try {
      const { user } = await setup.mutateAsync({
        body: { token, name, username, password, ...(company && { company }) },
      });
      startTransition(() => {
        void navigate("/", { replace: true });
        session.restart(user);
      });
    } catch (error) {
      if (!showUnderFields(error, fields, setError)) {
        setError("root", { message: messageOf(error, texts.setupFailed) });
      }
    }
  });

  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {errors.root && (
        <Alert tone="destructive" live>
          {errors.root.message}
        </Alert>
      )}
      <PersonFields register={(name) => register(name)} errors={errors} />
      <Field label={texts.company} optional hint={texts.companyHint} error={errors.company?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("company", { setValueAs: (value: string | undefined) => value?.trim() || undefined })}
            autoComplete="organization"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" wide busy={isSubmitting}>
        {texts.setup}
      </Button>
    </form>
  );
}
