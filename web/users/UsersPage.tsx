import { MailPlus, UserPlus } from "lucide-react";
import { useState } from "react";
import { useMay, useMe } from "../session.tsx";
import { AccessDenied } from "../shell/AccessDenied.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { Button } from "../ui/Button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { invitationTexts } from "./invitation-texts.ts";
import { texts } from "./texts.ts";
import { userScopeOf } from "./user-scope.ts";
import { UserList } from "./UserList.tsx";

const Invitations = lazyPart(() => import("./Invitations.tsx").then((module) => module.Invitations));
const InviteDialog = lazyPart(() => import("./InviteDialog.tsx").then((module) => module.InviteDialog));

/** /admin/users lists all users for system administrators, and the company's users for administrators of a company. */
export function UsersPage() {
  const me = useMe();
  const may = useMay();
  const [creating, setCreating] = useState(false);
  const [inviting, setInviting] = useState(false);
  if (!may("user.manage")) return <AccessDenied text={texts.denied} />;
  return (
    <div className="grid gap-5">
      <PageHeading
        title={texts.heading}
        subtitle={me.role === "system_admin" ? texts.subtitleSystem : texts.subtitleCompany}
        actions={
          <>
            <Button onClick={() => setCreating(true)}>
              <UserPlus aria-hidden />
              <span className="max-sm:sr-only">{texts.newUser}</span>
            </Button>
            <Button variant="primary" onClick={() => setInviting(true)}>
              <MailPlus aria-hidden />
              {invitationTexts.create}
            </Button>
          </>
        }
      />
      <UserList scope={userScopeOf(me)} creating={creating} onCreatingChange={setCreating} />
      <Invitations />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </div>
  );
}
