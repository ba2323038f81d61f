import { Plus } from "lucide-react";
import { Link } from "react-router-dom";
import { AssistantActive } from "../../ai/AssistantActive.tsx";
import { ImportButton } from "../../import/ImportButton.tsx";
import { useMay } from "../../session.tsx";
import { PageHeading } from "../../shell/PageHeading.tsx";
import { Breadcrumb } from "../../ui/Breadcrumb.tsx";
import { Button } from "../../ui/Button.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { LongSopList } from "./LongSopList.tsx";
import { texts } from "../texts.ts";
import { toQuery, useSopFilters } from "./use-sop-filters.ts";

/** All SOPs: the seed's two variants in one screen. */
export function SopsPage() {
  const { filters, set, clear, isFiltered } = useSopFilters();
  const may = useMay();
  return (
    <div className="grid gap-3">
      <Breadcrumb items={[{ label: texts.dashboard, to: "/" }, { label: texts.allSops }]} />
      <PageHeading
        title={texts.heading}
        subtitle={texts.subtitle}
        badge={<AssistantActive />}
        actions={
          may("sop.create") && (
            <>
              <ImportButton />
              <Button asChild variant="primary" className="lg:hidden">
                <Link to="/sop/new">
                  <Plus aria-hidden />
                  {texts.newSop}
                </Link>
              </Button>
            </>
          )
        }
      />
      <FilterBar filters={filters} set={set} clear={clear} isFiltered={isFiltered} />
      <LongSopList query={toQuery(filters)} title={texts.results} isFiltered={isFiltered} onClearFilters={clear} />
    </div>
  );
}
