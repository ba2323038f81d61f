import { useState, type FormEvent } from "react";
import { ApiError } from "#core/api/client.ts";
import { errorMessageOf, messageText, useWrite } from "../api.ts";
import { useAccountRules } from "../session.tsx";
import { SignedOutGuard } from "../shell/Guard.tsx";
import { PublicPage } from "../shell/PublicPage.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Form } from "../ui/Form.tsx";
import { Input } from "../ui/Input.tsx";
import { BackToLogin } from "./BackToLogin.tsx";
import { texts } from "./texts.ts";

export function ForgotPasswordPage() {
  return (
    <SignedOutGuard>
      <ForgottenPasswordForm />
    </SignedOutGuard>
  );
}

function ForgottenPasswordForm() {
  const { sendsEmail } = useAccountRules();
  if (sendsEmail) return <ResetLinkForm />;
  return (
    <PublicPage title={texts.forgotTitle} footer={<BackToLogin />}>
      <Alert tone="warning" title={texts.noMail}>
        {texts.forgotAsk}
      </Alert>
    </PublicPage>
  );
}

function ResetLinkForm() {
  const request = useWrite("auth", "forgotPassword");
  const [email, setEmail] = useState("");
  const isFilled = email.trim() !== "";
  const submit = (event: Pick<FormEvent, "preventDefault">) => {
    event.preventDefault();
    if (isFilled && !request.isPending) request.mutate({ body: { email: email.trim() } });
  };
  if (request.isSuccess) return <ResetLinkSent message={messageText(request.data)} onAgain={() => request.reset()} />;
  const wrongAddress = emailErrorOf(request.error);
  return (
    <PublicPage title={texts.forgotTitle} subtitle={texts.forgotSubtitle} footer={<BackToLogin />}>
      <Form
        onSubmit={submit}
        error={request.isError && !wrongAddress ? errorMessageOf(request.error, texts.forgotFailed) : undefined}
      >
        <Field label={texts.email} error={wrongAddress}>
          {(control) => (
            <Input
              {...control}
              type="email"
              name="email"
              autoComplete="email"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" wide disabled={!isFilled} busy={request.isPending}>
          {texts.forgot}
        </Button>
      </Form>
    </PublicPage>
  );
}

/** Shows the same text whether or not the address is known, so that no one can find out who has an account. */
function ResetLinkSent({ message, onAgain }: { message: string; onAgain(): void }) {
  return (
    <PublicPage title={texts.forgotSentTitle} footer={<BackToLogin />}>
      <div className="grid gap-4">
        <Alert tone="success" live>
          {message}
        </Alert>
        <p className="text-muted">{texts.forgotNoMail}</p>
        <Button wide onClick={onAgain}>
          {texts.forgotAgain}
        </Button>
      </div>
    </PublicPage>
  );
}

function emailErrorOf(error: Error | null): string | undefined {
  if (!(error instanceof ApiError) || error.code !== "invalid_input") return undefined;
  const { email } = (error.details ?? {}) as { email?: unknown };
  return typeof email === "string" ? email : undefined;
}
