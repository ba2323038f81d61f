import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "react-router-dom";
import { ApiError } from "#core/api/client.ts";
import type { Company } from "#core/companies/schema.ts";
import { useRead } from "../api.ts";
import { useMay, useMe } from "../session.tsx";
import { AccessDenied } from "../shell/AccessDenied.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { AccountStatusBadge } from "../ui/AccountBadges.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Breadcrumb } from "../ui/Breadcrumb.tsx";
import { Button } from "../ui/Button.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { texts as userTexts } from "../users/texts.ts";
import { userScopeOf } from "../users/user-scope.ts";
import { UserList } from "../users/UserList.tsx";
import { texts } from "./texts.ts";
import { QuotaUsage } from "./QuotaUsage.tsx";

/** /admin/companies/:id/users: the users of one company, opened from its row on the Companies screen. */
export function CompanyUsersPage() {
  const may = useMay();
  const { id = "" } = useParams();
  const allowed = may("companies.manage");
  const company = useRead("companies", "get", { params: { id } }, { enabled: allowed });
  if (!allowed) return <AccessDenied text={texts.denied} />;
  if (company.data) return <CompanyUsers key={id} company={company.data} />;
  if (company.isPending) return <PageSpinner />;
  if (company.error instanceof ApiError && company.error.status === 404) return <UnknownCompany />;
  return <ErrorState title={texts.companyFailed} onRetry={() => void company.refetch()} />;
}

function CompanyUsers({ company }: { company: Company }) {
  const me = useMe();
  const [creating, setCreating] = useState(false);
  return (
    <div className="grid gap-5">
      <Breadcrumb items={[{ label: texts.heading, to: "/admin/companies" }, { label: company.name }]} />
      <PageHeading
        title={texts.usersHeading}
        subtitle={
          <span className="flex flex-wrap gap-x-3">
            <span>{texts.manageUsersOf({ name: company.name })}</span>
            <QuotaUsage used={company.userCount} of={company.maxUsers} what="users" named />
          </span>
        }
        badge={company.status !== "active" && <AccountStatusBadge status={company.status} />}
        actions={
          <Button variant="primary" onClick={() => setCreating(true)}>
            <UserPlus aria-hidden />
            {userTexts.newUser}
          </Button>
        }
      />
      {company.status !== "active" && (
        <Alert tone="warning">{company.status === "suspended" ? texts.suspendedAlert : texts.deletedAlert}</Alert>
      )}
      <UserList scope={userScopeOf(me, company.id)} creating={creating} onCreatingChange={setCreating} />
    </div>
  );
}

function UnknownCompany() {
  return (
    <div className="grid gap-5">
      <PageHeading title={texts.notFound} />
      <EmptyState
        title={texts.notFoundText}
        action={
          <Button asChild>
            <Link to="/admin/companies">{texts.heading}</Link>
          </Button>
        }
      />
    </div>
  );
}
