import { useEffect, useState, type FormEvent } from "react";
import { Link } from "react-router-dom";
import type { Me } from "#core/sign-in/schema.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { useAccountRules, useSession } from "../session.tsx";
import { SignedOutGuard, useReturnPath } from "../shell/Guard.tsx";
import { PublicPage } from "../shell/PublicPage.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { isSopLink, storeOpenedLink, takeOpenedLink } from "./opened-link.ts";
import { PasswordInput } from "./PasswordInput.tsx";
import { texts } from "./texts.ts";

export function LoginPage() {
  const { registration } = useAccountRules();
  const { hasEnded } = useSession();
  // The page is the same for every address, so that it doesn't reveal which SOPs exist.
  const path = useReturnPath();
  const isFromLink = isSopLink(path) && !hasEnded;
  useEffect(() => {
    if (isFromLink) storeOpenedLink(path);
  }, [isFromLink, path]);
  return (
    <SignedOutGuard>
      <PublicPage
        title={texts.loginTitle}
        subtitle={isFromLink && texts.fromLink}
        footer={
          registration === "open" &&
          (isFromLink ? (
            <Link to="/register" className="hover:underline">
              {texts.createCompany}
            </Link>
          ) : (
            <>
              {texts.noAccount}{" "}
              <Link to="/register" className="font-medium text-primary hover:underline">
                {texts.createAccount}
              </Link>
            </>
          ))
        }
      >
        <div className="grid gap-4">
          {hasEnded && (
            <Alert title={texts.endedTitle} live>
              {texts.ended}
            </Alert>
          )}
          <LoginForm />
        </div>
      </PublicPage>
    </SignedOutGuard>
  );
}

/** The form only checks that both fields are filled, so it needs no form library. */
function LoginForm() {
  const session = useSession();
  const login = useWrite("auth", "login");
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const isFilled = username.trim() !== "" && password !== "";

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isFilled || login.isPending) return;
    // This page's guard then opens the page that the user wanted.
    const onSuccess = ({ user }: { user: Me }) => {
      takeOpenedLink();
      session.restart(user);
    };
    login.mutate({ body: { username, password } }, { onSuccess });
  };

  return (
    <form onSubmit={submit} className="grid gap-4">
      {login.isError && (
        <Alert tone="destructive" live>
          {errorMessageOf(login.error, texts.loginFailed)}
        </Alert>
      )}
      <Field label={texts.username}>
        {(control) => (
          <Input
            {...control}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        )}
      </Field>
      <Field label={texts.password}>
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <Link to="/forgot-password" className="justify-self-end py-0.5 font-medium text-primary hover:underline">
        {texts.forgotPassword}
      </Link>
      <Button type="submit" variant="primary" wide disabled={!isFilled} busy={login.isPending}>
        {texts.login}
      </Button>
    </form>
  );
}
