import { useMay } from "../../session.tsx";
import { AccessDenied } from "../../shell/AccessDenied.tsx";
import { PageHeading } from "../../shell/PageHeading.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { PageSpinner } from "../../ui/Spinner.tsx";
import { pageTexts as texts } from "./texts.ts";

const CompanySections = lazyPart(
  () => import("./CompanySections.tsx").then((module) => module.CompanySections),
  () => <PageSpinner label={texts.loading} />,
);

/** /admin/company: company admins change it, other administrators read it and invite. */
export function CompanyPage() {
  const may = useMay();
  if (!may("company.settings") && !may("user.manage")) return <AccessDenied text={texts.denied} />;
  return <OwnCompany />;
}

function OwnCompany() {
  const may = useMay();
  return (
    <div className="grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeading title={texts.title} />
      {!may("company.settings") && <Alert>{texts.readOnly}</Alert>}
      <CompanySections />
    </div>
  );
}
