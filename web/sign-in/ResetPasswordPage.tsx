import { zodResolver } from "@hookform/resolvers/zod";
import { startTransition, useEffect, type ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import { z } from "zod";
import { newPassword } from "#core/sign-in/schema.ts";
import { errorMessageOf, messageText, useRead, useWrite } from "../api.ts";
import { useAccountRules, useSession } from "../session.tsx";
import { PublicPage } from "../shell/PublicPage.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Form } from "../ui/Form.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { useServerForm } from "../use-server-form.ts";
import { BackToLogin } from "./BackToLogin.tsx";
import { PasswordFields } from "./PasswordFields.tsx";
import { texts } from "./texts.ts";
import { formErrors } from "../form-errors.ts";

const ResetRules = z
  .object({ password: newPassword, confirmation: z.string() })
  .refine((form) => form.password === form.confirmation, { error: () => texts.mismatch, path: ["confirmation"] });

type ResetValues = z.input<typeof ResetRules>;

const resolver = zodResolver(ResetRules, formErrors);

/** Milliseconds after which the sign-in opens (`docs/spec/screens.md`). */
const redirectMs = 3000;

interface ResetPasswordState {
  token?: string;
  done?: boolean;
}

/**
 * The page behind an emailed link, with the states validating, valid, invalid and success. The token moves from the
 * address to the history entry. There no one can read it on the screen, and a reload still has it.
 */
export function ResetPasswordPage() {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const given = new URLSearchParams(search).get("token");
  useEffect(() => {
    if (given !== null)
      void navigate("/reset-password", { replace: true, state: { token: given } satisfies ResetPasswordState });
  }, [given, navigate]);
  const { token = given ?? "", done = false } = (state ?? {}) as ResetPasswordState;
  if (done) return <PasswordResetDone />;
  if (!token) return <InvalidResetLink title={texts.resetMissing} detail={texts.resetMissingText} />;
  return <ResetTokenCheck token={token} />;
}

function ResetTokenCheck({ token }: { token: string }) {
  const check = useRead("auth", "validateResetToken", { query: { token } });
  useAccountRules();
  if (check.isError && !check.isFetching) {
    return (
      <InvalidResetLink title={texts.resetCheckFailed} detail={errorMessageOf(check.error, "")}>
        <Button wide variant="primary" onClick={() => void check.refetch()}>
          {texts.tryAgain}
        </Button>
      </InvalidResetLink>
    );
  }
  if (!check.data) return <PageSpinner label={texts.resetChecking} />;
  if (!check.data.valid)
    return <InvalidResetLink title={messageText(check.data) || texts.resetInvalid} detail={texts.resetInvalidText} />;
  return (
    <PublicPage title={texts.resetTitle} subtitle={texts.resetSubtitle} footer={<BackToLogin />}>
      <ResetForm token={token} />
    </PublicPage>
  );
}

function ResetForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const reset = useWrite("auth", "resetPassword");
  const { passwordMinimum } = useAccountRules();
  const form = useServerForm<ResetValues>({
    resolver,
    defaultValues: { password: "", confirmation: "" },
    fields: ["password"],
    failed: texts.resetFailed,
    async send({ password }) {
      await reset.mutateAsync({ body: { token, password } });
      void navigate("/reset-password", { replace: true, state: { done: true } satisfies ResetPasswordState });
    },
  });
  const { errors, isSubmitting } = form.formState;
  return (
    <Form onSubmit={form.submit} error={errors.root?.message}>
      <PasswordFields
        label={texts.newPassword}
        password={() => form.register("password")}
        confirmation={() => form.register("confirmation")}
        errors={errors}
        minimum={passwordMinimum}
      />
      <Button type="submit" variant="primary" wide busy={isSubmitting}>
        {texts.reset}
      </Button>
    </Form>
  );
}

function PasswordResetDone() {
  const navigate = useNavigate();
  const session = useSession();
  useEffect(() => {
    // One update changes path and session. The new password signs out anyone signed in here, and the sign-in page
    // must know that.
    const goToLogin = () =>
      startTransition(() => {
        void navigate("/login", { replace: true });
        session.restart(null);
      });
    const timer = setTimeout(goToLogin, redirectMs);
    return () => clearTimeout(timer);
  }, [navigate, session]);
  return (
    <PublicPage title={texts.resetDoneTitle}>
      <div className="grid gap-4">
        <Alert tone="success" live>
          {texts.resetDone}
        </Alert>
        <Button asChild variant="primary" wide>
          <Link to="/login" replace onClick={() => session.restart(null)}>
            {texts.resetToLogin}
          </Link>
        </Button>
      </div>
    </PublicPage>
  );
}

function InvalidResetLink({ title, detail, children }: { title: string; detail?: string; children?: ReactNode }) {
  return (
    <PublicPage title={title} subtitle={detail} footer={<BackToLogin />}>
      {children ?? (
        <Button asChild variant="primary" wide>
          <Link to="/forgot-password">{texts.resetAgain}</Link>
        </Button>
      )}
    </PublicPage>
  );
}
