import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "../session.tsx";
import { AccessDenied } from "../shell/AccessDenied.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { Button } from "../ui/Button.tsx";
import { CompanyList } from "./CompanyList.tsx";
import { texts } from "./texts.ts";

/** /admin/companies: only for system administrators. */
export function CompaniesPage() {
  const may = useMay();
  const [creating, setCreating] = useState(false);
  if (!may("companies.manage")) return <AccessDenied text={texts.denied} />;
  return (
    <div className="grid gap-5">
      <PageHeading
        title={texts.heading}
        subtitle={texts.subtitle}
        actions={
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden />
            {texts.newCompany}
          </Button>
        }
      />
      <CompanyList creating={creating} onCreatingChange={setCreating} />
    </div>
  );
}
