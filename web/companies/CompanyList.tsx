import { Building2 } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import type { Company } from "#core/companies/schema.ts";
import { useMe } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { DataTable } from "../ui/DataTable.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Select } from "../ui/Select.tsx";
import { usePages } from "../use-pages.ts";
import { useUrlFilters } from "../use-url-filters.ts";
import { companyColumns } from "./company-columns.tsx";
import { statusFilters, texts } from "./texts.ts";
import { selectOptionsOf } from "../ui/options.ts";

const RemoveCompanyDialog = lazyPart(() =>
  import("./RemoveCompanyDialog.tsx").then((module) => module.RemoveCompanyDialog),
);
const CompanyDialog = lazyPart(() => import("./CompanyDialog.tsx").then((module) => module.CompanyDialog));

const noFilters = { search: "", status: "all" };
const filterChoices = { status: Object.keys(statusFilters) };

function companyQueryOf({ search, status }: typeof noFilters): Record<string, string> {
  return {
    ...(search.trim() && { search: search.trim() }),
    status,
    total: "true",
  };
}

interface CompanyListProps {
  creating: boolean;
  onCreatingChange(creating: boolean): void;
}

export function CompanyList({ creating, onCreatingChange }: CompanyListProps) {
  const { companyId } = useMe();
  const navigate = useNavigate();
  const { filters, set, clear, isFiltered } = useUrlFilters(noFilters, filterChoices);
  const list = usePages("companies", companyQueryOf(filters));
  const [edited, setEdited] = useState<Company | null>(null);
  const [removed, setRemoved] = useState<Company | null>(null);
  const columns = companyColumns({
    ownCompanyId: companyId,
    onViewUsers: ({ id }) => void navigate(`/admin/companies/${id}/users`),
    onEdit: setEdited,
    onRemove: setRemoved,
  });
  const countText = (rows: number) => {
    const count = list.total ?? rows;
    return `${count} ${count === 1 ? "company" : "companies"}`;
  };
  return (
    <div className="grid gap-4">
      <DataTable
        list={list}
        filters={
          <section aria-label={texts.filters} className="-ml-3 flex flex-wrap gap-1">
            <Select
              quiet
              aria-label={texts.status}
              options={selectOptionsOf(statusFilters)}
              value={filters.status}
              onChange={(event) => set({ status: event.target.value })}
            />
          </section>
        }
        columns={columns}
        isMuted={({ status }) => status === "deleted"}
        texts={{ label: texts.table, loading: texts.loading, failed: texts.failed, count: countText }}
        empty={
          <EmptyState
            icon={<Building2 />}
            title={texts.empty}
            {...(isFiltered && {
              hint: texts.emptyFiltered,
              action: <Button onClick={clear}>{texts.clear}</Button>,
            })}
          />
        }
      />
      {(creating || edited) && (
        <CompanyDialog
          company={edited}
          onClose={() => {
            setEdited(null);
            onCreatingChange(false);
          }}
        />
      )}
      {removed && <RemoveCompanyDialog company={removed} onClose={() => setRemoved(null)} />}
    </div>
  );
}
