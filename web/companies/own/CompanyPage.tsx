import { useParams } from "react-router-dom";
import { useMay } from "../../session.tsx";
import { AccessDenied } from "../../shell/AccessDenied.tsx";
import { NotFoundPage } from "../../shell/NotFoundPage.tsx";
import { TopicPages } from "../../shell/TopicPages.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { PageSpinner } from "../../ui/Spinner.tsx";
import { SettingsLostAlert } from "./SettingsLostAlert.tsx";
import { pageTexts as texts } from "./texts.ts";
import { topicsFor } from "./topics.ts";

const CompanySections = lazyPart(
  () => import("./CompanySections.tsx").then((module) => module.CompanySections),
  () => <PageSpinner label={texts.loading} />,
);

/** /admin/company and its topics: company admins change them, other administrators read them. */
export function CompanyPage() {
  const may = useMay();
  if (!may("company.settings") && !may("user.manage")) return <AccessDenied text={texts.denied} />;
  return <OwnCompany />;
}

function OwnCompany() {
  const mayChange = useMay()("company.settings");
  const { topic } = useParams();
  const shown = topicsFor(mayChange);
  const current = shown.find(({ id }) => id === (topic ?? "profile"));
  if (!current) return <NotFoundPage />;
  return (
    <TopicPages
      title={texts.title}
      label={texts.sections}
      base="/admin/company"
      topics={shown}
      current={current.id}
      isNamed={topic !== undefined}
      note={mayChange ? <SettingsLostAlert /> : <Alert>{texts.readOnly}</Alert>}
    >
      {/* The key gives each topic its own form. */}
      <CompanySections key={current.id} topic={current.id} />
    </TopicPages>
  );
}
