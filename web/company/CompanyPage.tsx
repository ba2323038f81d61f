import { useRead } from "../api.ts";
import { RoleMatrix } from "../permissions/RoleMatrix.tsx";
import { roleTexts } from "../permissions/texts.ts";
import { useMay } from "../session.tsx";
import { AccessDenied } from "../shell/AccessDenied.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { Alert } from "../ui/Alert.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { GlossaryForm } from "./GlossaryForm.tsx";
import { Invitations } from "./Invitations.tsx";
import { ProfileForm } from "./ProfileForm.tsx";
import { RulesForm } from "./RulesForm.tsx";
import { Section } from "./Section.tsx";
import { texts } from "./texts.ts";

/** /admin/company: company admins change it, other administrators read it and invite. */
export function CompanyPage() {
  const may = useMay();
  if (!may("company.settings") && !may("user.manage")) return <AccessDenied text={texts.denied} />;
  return <OwnCompany />;
}

function OwnCompany() {
  const may = useMay();
  const mayChange = may("company.settings");
  const company = useRead("company", "get", {});
  return (
    <div className="grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeading title={texts.title} subtitle={texts.subtitle} />
      {!mayChange && <Alert>{texts.readOnly}</Alert>}
      {company.data ? (
        <>
          <ProfileForm company={company.data} mayChange={mayChange} />
          <RulesForm settings={company.data.settings} mayChange={mayChange} />
          <GlossaryForm glossary={company.data.settings.glossary} mayChange={mayChange} />
        </>
      ) : company.isError ? (
        <ErrorState title={texts.failed} onRetry={() => void company.refetch()} />
      ) : (
        <PageSpinner label={texts.loading} />
      )}
      {may("user.manage") && <Invitations />}
      {mayChange && (
        <Section title={roleTexts.title} description={roleTexts.description}>
          <RoleMatrix />
        </Section>
      )}
    </div>
  );
}
