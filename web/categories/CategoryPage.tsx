import { CircleCheck, Clock, FileText, FolderX, Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "react-router-dom";
import { useRead } from "../api.ts";
import { StatCard } from "../dashboard/StatCard.tsx";
import { useMay } from "../session.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { FilterBar } from "../sops/list/FilterBar.tsx";
import { ListSearch } from "../sops/list/ListSearch.tsx";
import { LongSopList } from "../sops/list/LongSopList.tsx";
import { toQuery, useSopFilters, type SopFilters } from "../sops/list/use-sop-filters.ts";
import { Badge } from "../ui/Badge.tsx";
import { CategoryDot } from "../ui/CategoryDot.tsx";
import { Breadcrumb } from "../ui/Breadcrumb.tsx";
import { Button } from "../ui/Button.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import type { Category } from "./category-values.ts";
import { texts } from "./texts.ts";

const CategoryDialog = lazyPart(() => import("./CategoryDialog.tsx").then((module) => module.CategoryDialog));

/** One category. No call answers a single one, so it is picked from the list. */
export function CategoryPage() {
  const { id = "" } = useParams();
  const categories = useRead("categories", "list", {});
  if (categories.isPending) return <PageSpinner />;
  if (!categories.data) return <ErrorState title={texts.failed} onRetry={() => void categories.refetch()} />;
  const category = categories.data.find((one) => one.id === id);
  return category ? <OneCategory key={category.id} category={category} /> : <UnknownCategory />;
}

function OneCategory({ category }: { category: Category }) {
  const { filters, set, clear, isFiltered } = useSopFilters();
  return (
    <div className="grid gap-5">
      <Breadcrumb items={[{ label: texts.dashboard, to: "/" }, { label: category.name }]} />
      <PageHeading
        title={category.name}
        badge={
          <Badge>
            <CategoryDot color={category.color} />
            {category.count} {category.count === 1 ? "SOP" : "SOPs"}
          </Badge>
        }
        subtitle={<Decisions category={category} />}
        actions={
          <>
            <EditCategory category={category} />
            <NewSop category={category} label={texts.newSop} />
          </>
        }
      />
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatCard label={texts.totalSops} icon={<FileText />} value={category.count} />
        <StatusTile category={category} status="published" label={texts.published} icon={<CircleCheck />} />
        <StatusTile category={category} status="draft" label={texts.draft} icon={<Pencil />} />
        <StatusTile category={category} status="under_review" label={texts.underReview} icon={<Clock />} />
      </dl>
      <ListSearch
        label={texts.search}
        value={filters.search}
        onSearch={(search) => set({ search }, { replace: true })}
      />
      <FilterBar filters={filters} set={set} clear={clear} isFiltered={isFiltered} withCategory={false} />
      <LongSopList
        query={{ ...toQuery(filters), category: category.id }}
        title={texts.results}
        isFiltered={isFiltered}
        onClearFilters={clear}
        empty={<EmptyState title={texts.empty} action={<NewSop category={category} label={texts.createFirst} />} />}
      />
    </div>
  );
}

/** What holds for its SOPs in place of the company's rules, and whose they are; nothing for most. */
function Decisions({ category }: { category: Category }) {
  const { teamId, requiresApproval, approvalRule, reviewMonths } = category;
  const teams = useRead("teams", "list", {}, { enabled: teamId !== null });
  const team = teams.data?.find(({ id }) => id === teamId);
  const facts = [
    team && texts.team(team.name),
    requiresApproval && texts.approval,
    approvalRule && texts.rules[approvalRule.kind](approvalRule.count ?? 1),
    reviewMonths !== null && texts.review(reviewMonths),
  ];
  return facts.filter(Boolean).join(" · ");
}

function EditCategory({ category }: { category: Category }) {
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (!may("category.write")) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Pencil aria-hidden />
        {texts.edit}
      </Button>
      {open && <CategoryDialog category={category} onClose={() => setOpen(false)} />}
    </>
  );
}

interface StatusTileProps {
  category: Category;
  status: Exclude<SopFilters["status"], "all">;
  label: string;
  icon: React.ReactNode;
}

function StatusTile({ category, status, label, icon }: StatusTileProps) {
  const page = useRead("sops", "list", { query: { category: category.id, status, total: "true", limit: 1 } });
  return <StatCard label={label} icon={icon} value={page.data?.total} failed={page.isError} />;
}

function NewSop({ category, label }: { category: Category; label: string }) {
  const may = useMay();
  if (!may("sop.create")) return null;
  return (
    <Button asChild variant="primary">
      <Link to={`/sop/new?category=${category.id}`}>
        <Plus aria-hidden />
        {label}
      </Link>
    </Button>
  );
}

function UnknownCategory() {
  return (
    <div className="grid gap-5">
      <PageHeading title={texts.notFound} />
      <EmptyState
        icon={<FolderX />}
        title={texts.notFoundText}
        action={
          <Button asChild>
            <Link to="/sops">{texts.browse}</Link>
          </Button>
        }
      />
    </div>
  );
}
