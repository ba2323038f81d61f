import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { Me } from "#core/sign-in/schema.ts";
import { errorMessageOf, useRead, useWrite } from "../api.ts";
import { useSession, useSignedIn } from "../session.tsx";
import { PublicPage } from "../shell/PublicPage.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { texts } from "./texts.ts";
import { roleLabel } from "#core/permissions/roles.ts";

interface InvitationPageProps {
  token: string;
  footer: ReactNode;
  /** Renders the form for the invited email address. */
  children(email: string): ReactNode;
}

/** The company, the role and the inviter of an invitation, or why it can't be used. */
export function InvitationPage({ token, footer, children }: InvitationPageProps) {
  const signedIn = useSignedIn();
  const enabled = signedIn.state === "out";
  const invitation = useRead("auth", "invitation", { query: { token } }, { enabled });
  if (signedIn.state === "in") return <SignedInNotice me={signedIn.me} />;
  if (invitation.isError) {
    return (
      <PublicPage title={texts.inviteFailed} subtitle={errorMessageOf(invitation.error, "")} footer={footer}>
        <Button wide busy={invitation.isFetching} onClick={() => void invitation.refetch()}>
          {texts.tryAgain}
        </Button>
      </PublicPage>
    );
  }
  if (!invitation.data) return <PageSpinner label={texts.inviteChecking} />;
  const { valid, company = "", role = "", email, invitedBy = "" } = invitation.data;
  if (!valid) {
    return <PublicPage title={texts.inviteInvalid} subtitle={texts.inviteInvalidText} footer={footer} />;
  }
  return (
    <PublicPage
      title={texts.inviteTitle({ company })}
      subtitle={
        invitedBy === ""
          ? texts.inviteSubtitle({ company, role: roleLabel(role) })
          : texts.inviteSubtitleBy({ company, role: roleLabel(role), by: invitedBy })
      }
      footer={footer}
    >
      {children(email ?? "")}
    </PublicPage>
  );
}

/** Shown to a user who is signed in already, such as an administrator who tests the link. */
function SignedInNotice({ me }: { me: Me }) {
  const session = useSession();
  const logout = useWrite("auth", "logout");
  return (
    <PublicPage title={texts.inviteSignedIn} subtitle={texts.inviteSignedInText({ name: me.name })}>
      <div className="grid gap-2">
        {logout.isError && (
          <Alert tone="destructive" live>
            {texts.signOutFailed}
          </Alert>
        )}
        <Button
          variant="primary"
          wide
          busy={logout.isPending}
          onClick={() => logout.mutate({}, { onSuccess: () => session.restart(null) })}
        >
          {texts.inviteSignOut}
        </Button>
        <Button asChild wide>
          <Link to="/">{texts.inviteStay}</Link>
        </Button>
      </div>
    </PublicPage>
  );
}
