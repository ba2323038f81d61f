import { Navigate, useLocation, useParams } from "react-router-dom";
import { NotFoundPage } from "../shell/NotFoundPage.tsx";
import { TopicPages } from "../shell/TopicPages.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { texts } from "./texts.ts";
import { settingsTopics } from "./topics.ts";

const SettingsSections = lazyPart(
  () => import("./SettingsSections.tsx").then((module) => module.SettingsSections),
  () => <PageSpinner label={texts.loading} />,
);

/** /settings and its topics. Links to sections of the former single page (`/settings#tokens`) open the topic's page. */
export function SettingsPage() {
  const { topic } = useParams();
  const { hash } = useLocation();
  const pages = settingsTopics();
  const linked = pages.find(({ id }) => `#${id}` === hash);
  const current = pages.find(({ id }) => id === (topic ?? "profile"));
  if (topic === undefined && linked) return <Navigate to={`/settings/${linked.id}`} replace />;
  if (!current) return <NotFoundPage />;
  return (
    <TopicPages
      title={texts.title}
      subtitle={texts.subtitle}
      label={texts.sections}
      base="/settings"
      topics={pages}
      current={current.id}
      isNamed={topic !== undefined}
    >
      <SettingsSections key={current.id} topic={current.id} />
    </TopicPages>
  );
}
