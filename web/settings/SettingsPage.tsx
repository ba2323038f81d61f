import { Suspense } from "react";
import { PageHeading } from "../shell/PageHeading.tsx";
import { lazyView } from "../ui/lazy-view.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { texts } from "./texts.ts";

const SettingsSections = lazyView(() => import("./SettingsSections.tsx").then((module) => module.SettingsSections));
// the forms and their library load beside the page, not after it; a failure shows where they are rendered
void SettingsSections.preload();

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
