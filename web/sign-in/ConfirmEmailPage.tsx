import { useEffect, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import { errorMessageOf, useWrite } from "../api.ts";
import { PublicPage } from "../shell/PublicPage.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { texts } from "./texts.ts";

interface ConfirmEmailState {
  token?: string;
}

/**
 * The page behind an emailed link. Confirming needs a click, because mail programs open links themselves. The token
 * moves from the address to the history entry, as for a reset link.
 */
export function ConfirmEmailPage() {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const confirm = useWrite("auth", "confirmEmail");
  const [refusal, setRefusal] = useState("");
  const given = new URLSearchParams(search).get("token");
  useEffect(() => {
    if (given !== null)
      void navigate("/confirm-email", { replace: true, state: { token: given } satisfies ConfirmEmailState });
  }, [given, navigate]);
  const { token = given ?? "" } = (state ?? {}) as ConfirmEmailState;
  if (confirm.isSuccess) {
    return (
      <PublicPage title={texts.confirmDone}>
        <Button asChild variant="primary" wide>
          <Link to="/" replace>
            {texts.confirmContinue}
          </Link>
        </Button>
      </PublicPage>
    );
  }
  if (!token) return <PublicPage title={texts.confirmMissing} subtitle={texts.confirmMissingText} />;
  const sendToken = async () => {
    setRefusal("");
    try {
      await confirm.mutateAsync({ body: { token } });
    } catch (error) {
      setRefusal(errorMessageOf(error, texts.confirmFailed));
    }
  };
  return (
    <PublicPage title={texts.confirmTitle} subtitle={texts.confirmSubtitle}>
      <div className="grid gap-4">
        {refusal && (
          <Alert tone="destructive" live title={refusal}>
            {texts.confirmInvalidText}
          </Alert>
        )}
        <Button wide variant="primary" busy={confirm.isPending} onClick={() => void sendToken()}>
          {texts.confirm}
        </Button>
      </div>
    </PublicPage>
  );
}
