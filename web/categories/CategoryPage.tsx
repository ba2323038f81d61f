import { Pencil, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { Link, useParams } from "react-router-dom";
import { outerCategoryOf } from "#core/categories/rules.ts";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { FilteredSops } from "../sops/list/FilteredSops.tsx";
import { sopListQueryOf, useSopFilters, type SopFilters } from "../sops/list/use-sop-filters.ts";
import { WithinCategory } from "../sops/list/within-category.ts";
import { Badge } from "../ui/Badge.tsx";
import { CategoryDot } from "../ui/CategoryDot.tsx";
import { Breadcrumb } from "../ui/Breadcrumb.tsx";
import { Button } from "../ui/Button.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import type { Category } from "./category-values.ts";
import { texts } from "./texts.ts";

const UnknownCategory = lazyPart(() => import("./UnknownCategory.tsx").then((module) => module.UnknownCategory));
const CategorySettingsSummary = lazyPart(() =>
  import("./CategorySettingsSummary.tsx").then((module) => module.CategorySettingsSummary),
);
const CategoryDialog = lazyPart(() => import("./CategoryDialog.tsx").then((module) => module.CategoryDialog));

/**
 * Shows one category. The page finds the category in the list of all categories, because the API can't read a single
 * one.
 */
export function CategoryPage() {
  const { id = "" } = useParams();
  const categories = useRead("categories", "list", {});
  if (categories.isPending) return <PageSpinner />;
  if (!categories.data) return <ErrorState title={texts.failed} onRetry={() => void categories.refetch()} />;
  const category = categories.data.find((one) => one.id === id);
  if (!category) return <UnknownCategory />;
  const hasInner = categories.data.some(({ parentId }) => parentId === id);
  return (
    <CategoryContent key={id} category={category} outer={outerCategoryOf(categories.data, id)} hasInner={hasInner} />
  );
}

interface CategoryContentProps {
  category: Category;
  /** The category around this one; undefined at the top level. */
  outer: Category | undefined;
  /** True if the category contains other categories. */
  hasInner: boolean;
}

function CategoryContent({ category, outer, hasInner }: CategoryContentProps) {
  const within = useMemo(() => ({ id: category.id, hasInner }), [category.id, hasInner]);
  const filters = useSopFilters();
  const query = { ...sopListQueryOf(filters.filters), category: category.id };
  const isAuthor = useMay()("sop.create");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {outer && <Breadcrumb items={[{ label: outer.name, to: `/category/${outer.id}` }, { label: category.name }]} />}
      <PageHeading
        title={category.name}
        badge={
          <Badge>
            <CategoryDot color={category.color} />
            {texts.sops({ count: category.count })}
          </Badge>
        }
        subtitle={<CategorySettingsSummary category={category} />}
        actions={
          <>
            <EditCategoryButton category={category} />
            <NewSopButton category={category} label={texts.newSop} />
          </>
        }
      />
      {category.count > 0 && (
        <dl className="flex flex-wrap gap-x-6 gap-y-3 sm:gap-x-12">
          <CategoryFigureTile label={texts.totalSops} value={category.count} />
          <StatusCountTile category={category} status="published" label={texts.published} />
          <StatusCountTile category={category} status="draft" label={texts.draft} />
          <StatusCountTile category={category} status="under_review" label={texts.underReview} />
        </dl>
      )}
      <WithinCategory value={within}>
        <FilteredSops
          {...filters}
          query={query}
          title={texts.results}
          withCategory={false}
          empty={
            <EmptyState
              title={texts.empty}
              hint={!isAuthor && texts.emptyReader}
              action={<NewSopButton category={category} label={texts.createFirst} />}
            />
          }
        />
      </WithinCategory>
    </div>
  );
}

function EditCategoryButton({ category }: { category: Category }) {
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

interface StatusCountTileProps {
  category: Category;
  status: Exclude<SopFilters["status"], "all">;
  label: string;
}

function StatusCountTile({ category, status, label }: StatusCountTileProps) {
  const page = useRead("sops", "list", { query: { category: category.id, status, total: "true", limit: 1 } });
  return <CategoryFigureTile label={label} value={page.isError ? "–" : page.data?.total} />;
}

/** @prop value undefined while loading */
function CategoryFigureTile({ label, value }: { label: string; value: number | string | undefined }) {
  return (
    <div>
      <dt className="text-t2 text-muted">{label}</dt>
      <dd className="text-t5 font-semibold tabular-nums" aria-busy={value === undefined}>
        {value ?? <Skeleton className="my-1 h-5 w-8" />}
      </dd>
    </div>
  );
}

function NewSopButton({ category, label }: { category: Category; label: string }) {
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
