/** What a row of the Companies screen shows. */
import { Pencil, Trash2, Users } from "lucide-react";
import { Link } from "react-router-dom";
import { companySizeLabels, type CompanySize } from "#core/companies/rules.ts";
import type { Company } from "#core/companies/schema.ts";
import { AccountStatusBadge } from "../ui/AccountBadges.tsx";
import { Badge } from "../ui/Badge.tsx";
import type { Column } from "../ui/DataTable.tsx";
import { RowMenu } from "../ui/RowMenu.tsx";
import { dateText } from "../ui/time.ts";
import { planLabel } from "./plan-label.ts";
import { texts } from "./texts.ts";
import { Usage } from "./Usage.tsx";

interface ColumnsOptions {
  ownCompanyId: string;
  onViewUsers(company: Company): void;
  onEdit(company: Company): void;
  onRemove(company: Company): void;
}

export function companyColumns({ ownCompanyId, ...on }: ColumnsOptions): Column<Company>[] {
  return [
    { header: texts.company, isName: true, cell: (company) => <Name company={company} /> },
    { header: texts.industryAndSize, cell: (company) => <Kind company={company} /> },
    { header: texts.subscription, cell: ({ subscription }) => <Badge tone="outline">{planLabel(subscription)}</Badge> },
    { header: texts.users, cell: ({ userCount, maxUsers }) => <Usage used={userCount} of={maxUsers} what="users" /> },
    { header: texts.sops, cell: ({ sopCount, maxSOPs }) => <Usage used={sopCount} of={maxSOPs} what="SOPs" /> },
    { header: texts.status, cell: ({ status }) => <AccountStatusBadge status={status} /> },
    {
      header: texts.created,
      cell: ({ createdAt }) => <span className="whitespace-nowrap">{dateText(createdAt)}</span>,
    },
    {
      header: texts.actions,
      isMenu: true,
      cell: (company) => <Menu company={company} isOwn={company.id === ownCompanyId} {...on} />,
    },
  ];
}

function Name({ company: { id, name, slug } }: { company: Company }) {
  return (
    <span className="block min-w-0">
      <Link to={`/admin/companies/${id}/users`} className="font-medium text-primary wrap-anywhere hover:underline">
        {name}
      </Link>
      <span className="block text-muted wrap-anywhere">{slug}</span>
    </span>
  );
}

function Kind({ company: { industry, size } }: { company: Company }) {
  if (!industry && !size) return <span className="text-muted">{texts.none}</span>;
  return (
    <span className="block min-w-0">
      {industry && <span className="block wrap-anywhere">{industry}</span>}
      {size && <span className="block whitespace-nowrap text-muted">{sizeLabel(size)}</span>}
    </span>
  );
}

/** 'Small (1-50)'; a size that is not known shows as it is stored. */
function sizeLabel(size: string): string {
  return companySizeLabels[size as CompanySize] ?? size;
}

type MenuProps = Omit<ColumnsOptions, "ownCompanyId"> & { company: Company; isOwn: boolean };

function Menu({ company, isOwn, onViewUsers, onEdit, onRemove }: MenuProps) {
  const remove = {
    label: texts.remove,
    icon: <Trash2 aria-hidden />,
    destructive: true,
    separated: true,
    refusal: isOwn ? texts.ownCompany : undefined,
    onSelect: () => onRemove(company),
  };
  return (
    <RowMenu
      label={`Actions for ${company.name}`}
      actions={[
        { label: texts.viewUsers, icon: <Users aria-hidden />, onSelect: () => onViewUsers(company) },
        { label: texts.edit, icon: <Pencil aria-hidden />, onSelect: () => onEdit(company) },
        ...(company.status === "deleted" ? [] : [remove]),
      ]}
    />
  );
}
