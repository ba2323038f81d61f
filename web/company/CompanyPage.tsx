import { Suspense } from "react";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { AccessDenied } from "../shell/AccessDenied.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { Alert } from "../ui/Alert.tsx";
import { lazyView } from "../ui/lazy-view.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { pageTexts as texts } from "./page-texts.ts";

const CompanySections = lazyView(() => import("./CompanySections.tsx").then((module) => module.CompanySections));
// the forms and their library load with the page, not after it is shown; a failure shows where they are rendered
void CompanySections.preload();

/** /admin/company: company admins change it, other administrators read it and invite. */
export function CompanyPage() {
  const may = useMay();
  if (!may("company.settings") && !may("user.manage")) return <AccessDenied text={texts.denied} />;
  return <OwnCompany />;
}

function OwnCompany() {
  const may = useMay();
  // asked for while the forms and their library are on their way
  useRead("company", "get", {});
  return (
    <div className="grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeading title={texts.title} subtitle={texts.subtitle} />
      {!may("company.settings") && <Alert>{texts.readOnly}</Alert>}
      <Suspense fallback={<PageSpinner label={texts.loading} />}>
        <CompanySections />
      </Suspense>
    </div>
  );
}
