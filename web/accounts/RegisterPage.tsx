import { useForm } from "react-hook-form";
import { Link } from "react-router-dom";
import { messageOf, useWrite } from "../api.ts";
import { useSession } from "../session.tsx";
import { PublicOnly } from "../shell/Guard.tsx";
import { PublicPage } from "../shell/PublicPage.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { lazyResolver } from "../ui/lazy-resolver.ts";
import { showUnderFields } from "../ui/server-errors.ts";
import { PersonFields } from "./PersonFields.tsx";
import type { RegisterValues } from "./register-resolver.ts";
import { texts } from "./texts.ts";

const resolver = lazyResolver<RegisterValues>(() =>
  import("./register-resolver.ts").then((module) => module.registerResolver),
);

const fields = ["name", "username", "password", "email"] as const;

export function RegisterPage() {
  return (
    <PublicOnly>
      {(registration) =>
        registration === "open" ? (
          <PublicPage title={texts.registerTitle} subtitle={texts.registerSubtitle} footer={<ToLogin />}>
            <RegisterForm />
          </PublicPage>
        ) : (
          <PublicPage title={texts.registrationClosed} subtitle={texts.registrationClosedText} footer={<ToLogin />} />
        )
      }
    </PublicOnly>
  );
}

function ToLogin() {
  return (
    <>
      {texts.haveAccount}{" "}
      <Link to="/login" className="font-medium text-primary hover:underline">
        {texts.toLogin}
      </Link>
    </>
  );
}

function RegisterForm() {
  const session = useSession();
  const registration = useWrite("auth", "register");
  const { register, handleSubmit, setError, formState } = useForm<RegisterValues>({
    resolver,
    defaultValues: { name: "", username: "", password: "", confirmation: "", email: "" },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ name, username, password, email }) => {
    try {
      const { user } = await registration.mutateAsync({ body: { name, username, password, ...(email && { email }) } });
      session.restart(user);
    } catch (error) {
      if (!showUnderFields(error, fields, setError)) {
        setError("root", { message: messageOf(error, texts.registerFailed) });
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
      <Field label={texts.email} optional hint={texts.emailHint} error={errors.email?.message}>
        {(control) => <Input {...control} {...register("email")} type="email" autoComplete="email" />}
      </Field>
      <Button type="submit" variant="primary" wide busy={isSubmitting}>
        {texts.register}
      </Button>
    </form>
  );
}
