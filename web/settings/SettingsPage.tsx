import { PageHeading } from "../shell/PageHeading.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { texts } from "./texts.ts";

const SettingsSections = lazyPart(
  () => import("./SettingsSections.tsx").then((module) => module.SettingsSections),
  () => <PageSpinner label={texts.loading} />,
);

export function SettingsPage() {
  return (
    <div className="grid gap-6">
      <PageHeading title={texts.title} subtitle={texts.subtitle} />
      <SettingsSections />
    </div>
  );
}
