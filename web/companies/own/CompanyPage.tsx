import { clsx } from "clsx";
import { ChevronLeft } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { useMay } from "../../session.tsx";
import { AccessDenied } from "../../shell/AccessDenied.tsx";
import { NotFoundPage } from "../../shell/NotFoundPage.tsx";
import { PageHeading } from "../../shell/PageHeading.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { PageSpinner } from "../../ui/Spinner.tsx";
import { pageTexts as texts } from "./texts.ts";
import { topics } from "./topics.ts";

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

/** On a phone, the address without a topic shows the topics, and each topic leads back to them. */
function OwnCompany() {
  const mayChange = useMay()("company.settings");
  const { topic } = useParams();
  const shown = topics.filter(({ id }) => mayChange || id !== "roles");
  const current = shown.find(({ id }) => id === (topic ?? "profile"));
  if (!current) return <NotFoundPage />;
  return (
    <div className="grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-5">
      <div className={clsx(topic && "max-sm:sr-only")}>
        <PageHeading title={texts.title} />
      </div>
      {!mayChange && <Alert>{texts.readOnly}</Alert>}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-12 sm:grid-cols-[10rem_minmax(0,40rem)]">
        <nav aria-label={texts.sections} className={clsx("sm:sticky sm:top-20 sm:-ml-2", topic && "max-sm:hidden")}>
          <ul className="grid grid-cols-[minmax(0,1fr)]">
            {shown.map(({ id, title }) => (
              <li key={id}>
                <Link
                  to={`/admin/company/${id}`}
                  aria-current={id === current.id ? "page" : undefined}
                  className={clsx(
                    "flex min-h-8 items-center rounded-md px-2 hover:bg-sunken max-sm:min-h-13 pointer-coarse:min-h-11",
                    id === current.id ? "sm:bg-sunken sm:font-medium" : "sm:text-muted",
                  )}
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className={clsx("min-w-0", !topic && "max-sm:hidden")}>
          <Link
            to="/admin/company"
            className="-ml-1 flex min-h-11 items-center gap-1 text-muted hover:text-text sm:hidden"
          >
            <ChevronLeft aria-hidden className="size-4" />
            {texts.title}
          </Link>
          {/* a form of its own for each topic */}
          <CompanySections key={current.id} topic={current.id} />
        </div>
      </div>
    </div>
  );
}
