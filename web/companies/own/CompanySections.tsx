import { useRead } from "../../api.ts";
import { RolePermissions } from "../../permissions/RolePermissions.tsx";
import { roleTexts } from "../../permissions/texts.ts";
import { useMay } from "../../session.tsx";
import { ErrorState } from "../../ui/EmptyState.tsx";
import { PageSpinner } from "../../ui/Spinner.tsx";
import { GlossaryForm } from "./GlossaryForm.tsx";
import { Invitations } from "./Invitations.tsx";
import { ProfileForm } from "./ProfileForm.tsx";
import { RulesForm } from "./RulesForm.tsx";
import { Section } from "./Section.tsx";
import { texts, pageTexts } from "./texts.ts";

/** Below the page's heading: what is said of the company, and who may join and do what. */
export function CompanySections() {
  const may = useMay();
  const mayChange = may("company.settings");
  const company = useRead("company", "get", {});
  return (
    <>
      {company.data ? (
        <>
          <ProfileForm company={company.data} mayChange={mayChange} />
          <RulesForm settings={company.data.settings} mayChange={mayChange} />
          <GlossaryForm glossary={company.data.settings.glossary} mayChange={mayChange} />
        </>
      ) : company.isError ? (
        <ErrorState title={texts.failed} onRetry={() => void company.refetch()} />
      ) : (
        <PageSpinner label={pageTexts.loading} />
      )}
      {may("user.manage") && <Invitations />}
      {mayChange && (
        <Section title={roleTexts.title} description={roleTexts.description}>
          <RolePermissions />
        </Section>
      )}
    </>
  );
}
