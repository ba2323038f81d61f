import { clsx } from "clsx";
import { Plus, Upload, Sparkles } from "lucide-react";
import { Link } from "react-router-dom";
import { useState } from "react";
import { catalog } from "#core/language/catalog.ts";
import { useMay } from "../../session.tsx";
import { PageHeading } from "../../shell/PageHeading.tsx";
import { Button } from "../../ui/Button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { FilteredSops } from "./FilteredSops.tsx";
import { texts } from "../texts.ts";
import { useFacets } from "./use-facets.ts";
import { useSopList } from "./use-sop-list.ts";
import { sopListQueryOf, useSopFilters, type SopListQuery } from "./use-sop-filters.ts";
import { Badge } from "../../ui/Badge.tsx";
import { placeTexts } from "../../ai/place-texts.ts";
import { useAi } from "../../ai/use-ai.ts";

const importTexts = catalog("import.import-button", {
  import: "Import",
});

const ImportDialog = lazyPart(() => import("../../import/ImportDialog.tsx").then((module) => module.ImportDialog));

const SearchPage = lazyPart(() => import("../../search/SearchPage.tsx").then((module) => module.SearchPage));
const NoMatches = lazyPart(() => import("./NoMatches.tsx").then((module) => module.NoMatches));

/** Lists all SOPs, or searches them if the address has a query. */
export function SopsPage() {
  const { filters, set, clear, isFiltered } = useSopFilters();
  const words = filters.search.trim();
  const isSearch = words !== "";
  // A search also asks for the total number of hits.
  const query = { ...sopListQueryOf(filters), ...(isSearch && { total: "true" as const }) };
  return (
    <div
      className={clsx(
        "grid grid-cols-[minmax(0,1fr)] gap-3",
        isSearch && "gap-x-12 sm:grid-cols-[12rem_minmax(0,44rem)]",
      )}
    >
      {/* The same element with and without a search, so that the search field keeps the focus. */}
      <div className={clsx(isSearch && "sm:col-start-2 sm:row-start-1")}>
        <SopsHeading query={query} words={words} />
      </div>
      {isSearch ? (
        <SearchPage filters={filters} query={query} set={set} />
      ) : (
        <FilteredSopResults filters={filters} set={set} clear={clear} isFiltered={isFiltered} query={query} />
      )}
    </div>
  );
}

function SopsHeading({ query, words }: { query: SopListQuery; words: string }) {
  const may = useMay();
  const { data } = useSopList(query);
  const total = data?.pages[0]?.total;
  const isSearch = words !== "";
  return (
    <PageHeading
      title={isSearch ? (total === undefined ? texts.results : texts.count({ count: total })) : texts.heading}
      badge={isSearch ? <span className="text-muted">{texts.for({ words })}</span> : <AssistantActiveBadge />}
      actions={
        !isSearch &&
        may("sop.create") && (
          <>
            <div className="max-sm:hidden">
              <ImportButton />
            </div>
            <Button asChild variant="primary" size="icon" className="lg:hidden">
              <Link to="/sop/new" aria-label={texts.newSop}>
                <Plus aria-hidden />
              </Link>
            </Button>
          </>
        )
      }
    />
  );
}

type AllProps = ReturnType<typeof useSopFilters> & { query: SopListQuery };

function FilteredSopResults({ query, ...list }: AllProps) {
  const { filters, set, clear } = list;
  return (
    <FilteredSops
      {...list}
      query={query}
      title={texts.results}
      emptyFiltered={<NoMatches filters={filters} set={set} clear={clear} facets={useFacets(query)} />}
    />
  );
}

/** Opens the import dialog, whose code loads on the first click. */
function ImportButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Upload aria-hidden />
        {importTexts.import}
      </Button>
      {open && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** A badge, shown only while AI can be used: the key works and both switches are on. */
function AssistantActiveBadge() {
  const { isOn } = useAi();
  if (!isOn) return null;
  return (
    <Badge tone="success">
      <Sparkles aria-hidden />
      {placeTexts.active}
    </Badge>
  );
}
