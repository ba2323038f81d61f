import { useRead } from "../../api.ts";
import { MirrorPage } from "../../mirror/MirrorPage.tsx";
import { RolePermissions } from "../../permissions/RolePermissions.tsx";
import { roleTexts } from "../../permissions/texts.ts";
import { useMay } from "../../session.tsx";
import { ErrorState } from "../../ui/EmptyState.tsx";
import { PageSpinner } from "../../ui/Spinner.tsx";
import { GlossaryForm } from "./GlossaryForm.tsx";
import { PlanPage } from "./PlanPage.tsx";
import { ProfileForm } from "./ProfileForm.tsx";
import { AiPage, PasswordsPage, ProofPage, PublishingPage, WritingPage } from "./RulesPages.tsx";
import { Topic } from "./Topic.tsx";
import { texts, pageTexts } from "./texts.ts";
import { topicTitleOf, type CompanyTopicId } from "./topics.ts";

const rulesPages = {
  publishing: PublishingPage,
  writing: WritingPage,
  passwords: PasswordsPage,
  proof: ProofPage,
  ai: AiPage,
};

/** Shows the page of one topic of the company's settings. */
export function CompanySections({ topic }: { topic: CompanyTopicId }) {
  const mayChange = useMay()("company.settings");
  const company = useRead("company", "get", {});
  if (topic === "roles") {
    return (
      <Topic title={topicTitleOf("roles")} description={roleTexts.description}>
        <RolePermissions />
      </Topic>
    );
  }
  if (topic === "mirror") return <MirrorPage />;
  if (company.isError) return <ErrorState title={texts.failed} onRetry={() => void company.refetch()} />;
  if (!company.data) return <PageSpinner label={pageTexts.loading} />;
  const { settings } = company.data;
  if (topic === "profile") return <ProfileForm company={company.data} mayChange={mayChange} />;
  if (topic === "glossary") return <GlossaryForm glossary={settings.glossary} mayChange={mayChange} />;
  if (topic === "plan") return <PlanPage company={company.data} />;
  const Page = rulesPages[topic];
  return <Page settings={settings} mayChange={mayChange} />;
}
