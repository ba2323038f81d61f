/** The columns of the Companies screen. */
import { Pencil, Trash2, Users } from "lucide-react";
import { Link } from "react-router-dom";
import { companySizeLabels, type CompanySize } from "#core/companies/rules.ts";
import type { Company } from "#core/companies/schema.ts";
import { AccountStatus } from "../ui/AccountBadges.tsx";
import type { Column } from "../ui/DataTable.tsx";
import { RowMenu } from "../ui/RowMenu.tsx";
import { dateText } from "../ui/time.ts";
import { planLabel } from "./plan-label.ts";
import { texts } from "./texts.ts";
import { QuotaUsage } from "./QuotaUsage.tsx";

interface CompanyColumnsOptions {
  ownCompanyId: string;
  onViewUsers(company: Company): void;
  onEdit(company: Company): void;
  onRemove(company: Company): void;
}

export function companyColumns({ ownCompanyId, ...on }: CompanyColumnsOptions): Column<Company>[] {
  return [
    { header: texts.company, isName: true, cell: (company) => <CompanyNameCell company={company} /> },
    { header: texts.industryAndSize, cell: (company) => <IndustryAndSizeCell company={company} /> },
    { header: texts.subscription, cell: ({ subscription }) => planLabel(subscription) },
    {
      header: texts.users,
      isLabelled: true,
      cell: ({ userCount, maxUsers }) => <QuotaUsage used={userCount} of={maxUsers} what="users" />,
    },
    {
      header: texts.sops,
      isLabelled: true,
      cell: ({ sopCount, maxSOPs }) => <QuotaUsage used={sopCount} of={maxSOPs} what="SOPs" />,
    },
    { header: texts.status, cell: ({ status }) => <AccountStatus status={status} /> },
    {
      header: texts.created,
      isLabelled: true,
      cell: ({ createdAt }) => <span className="whitespace-nowrap">{dateText(createdAt)}</span>,
    },
    {
      header: texts.actions,
      isMenu: true,
      cell: (company) => <CompanyMenu company={company} isOwn={company.id === ownCompanyId} {...on} />,
    },
  ];
}

function CompanyNameCell({ company: { id, name, slug } }: { company: Company }) {
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      <Link
        to={`/admin/companies/${id}/users`}
        className="font-medium wrap-anywhere after:absolute after:inset-0 hover:underline"
      >
        {name}
      </Link>
      <span className="text-t2 text-muted wrap-anywhere">{slug}</span>
    </span>
  );
}

function IndustryAndSizeCell({ company: { industry, size } }: { company: Company }) {
  if (!industry && !size) return <span data-none>{texts.none}</span>;
  return (
    <span className="flex min-w-0 flex-wrap gap-x-2">
      {industry && <span className="wrap-anywhere">{industry}</span>}
      {size && <span className="whitespace-nowrap">{sizeLabel(size)}</span>}
    </span>
  );
}

/** Returns 'Small (1-50)' for a known size, and an unknown size as stored. */
function sizeLabel(size: string): string {
  return companySizeLabels[size as CompanySize] ?? size;
}

type CompanyMenuProps = Omit<CompanyColumnsOptions, "ownCompanyId"> & { company: Company; isOwn: boolean };

function CompanyMenu({ company, isOwn, onViewUsers, onEdit, onRemove }: CompanyMenuProps) {
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
      label={texts.actionsFor({ name: company.name })}
      actions={[
        { label: texts.viewUsers, icon: <Users aria-hidden />, onSelect: () => onViewUsers(company) },
        { label: texts.edit, icon: <Pencil aria-hidden />, onSelect: () => onEdit(company) },
        ...(company.status === "deleted" ? [] : [remove]),
      ]}
    />
  );
}
