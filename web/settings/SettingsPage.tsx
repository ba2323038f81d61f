import { lazy, Suspense } from "react";
import { PageHeading } from "../shell/PageHeading.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { texts } from "./texts.ts";

const loadSections = () => import("./SettingsSections.tsx");
const SettingsSections = lazy(async () => ({ default: (await loadSections()).SettingsSections }));
// the forms and their library load beside the page, not after it; a failure shows where they are rendered
loadSections().catch(() => undefined);

export function SettingsPage() {
  return (
    <div className="grid gap-6">
      <PageHeading title={texts.title} subtitle={texts.subtitle} />
      <Suspense fallback={<PageSpinner label={texts.loading} />}>
        <SettingsSections />
      </Suspense>
    </div>
  );
}
