/** Questions for the first day of a company: its name, first drafts and people. Each one can be skipped. */
import { useNavigate, useSearchParams } from "react-router-dom";
import { useMay } from "../session.tsx";
import { AccessDenied } from "../shell/AccessDenied.tsx";
import { CompanyStep } from "./CompanyStep.tsx";
import { InviteStep } from "./InviteStep.tsx";
import { TemplatesStep } from "./TemplatesStep.tsx";
import { texts } from "./texts.ts";

export function StartPage() {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const may = useMay();
  if (!may("company.settings") || !may("user.manage")) return <AccessDenied text={texts.denied} />;
  const step = params.get("step");
  if (step === "templates") return <TemplatesStep onDone={() => setParams({ step: "people" })} />;
  if (step === "people") return <InviteStep onDone={() => void navigate("/")} />;
  return <CompanyStep onDone={() => setParams({ step: "templates" })} />;
}
