import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useMay, useMe } from "../session.tsx";
import { AccessDenied } from "../shell/AccessDenied.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { Button } from "../ui/Button.tsx";
import { texts } from "./texts.ts";
import { userScope } from "./user-scope.ts";
import { UserList } from "./UserList.tsx";

/** /admin/users: all users for system administrators, the own company's users for its administrators. */
export function UsersPage() {
  const me = useMe();
  const may = useMay();
  const [creating, setCreating] = useState(false);
  if (!may("user.manage")) return <AccessDenied text={texts.denied} />;
  return (
    <div className="grid gap-5">
      <PageHeading
        title={texts.heading}
        subtitle={me.role === "system_admin" ? texts.subtitleSystem : texts.subtitleCompany}
        actions={
          <Button variant="primary" onClick={() => setCreating(true)}>
            <UserPlus aria-hidden />
            {texts.newUser}
          </Button>
        }
      />
      <UserList scope={userScope(me)} creating={creating} onCreatingChange={setCreating} />
    </div>
  );
}
