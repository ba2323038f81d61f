import { Clock, FileText, Sparkles, Users } from "lucide-react";
import { useAssistantPanel } from "../ai/use-panel.ts";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { FilterBar } from "../sops/list/FilterBar.tsx";
import { SopList } from "../sops/list/SopList.tsx";
import { toQuery, useSopFilters } from "../sops/list/use-sop-filters.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { NeedsAttention } from "./NeedsAttention.tsx";
import { Overview } from "./Overview.tsx";
import { StatCard } from "./StatCard.tsx";
import { texts } from "./texts.ts";

const shownAtOnce = 12;

export function DashboardPage() {
  const { filters, set, clear, isFiltered } = useSopFilters();
  return (
    <div className="grid gap-6">
      <PageHeading title={texts.heading} />
      <Stats />
      <div className="flex flex-wrap items-start gap-4">
        <NeedsAttention />
        <Overview />
      </div>
      <FilterBar filters={filters} set={set} clear={clear} isFiltered={isFiltered} />
      <SopList
        query={toQuery(filters)}
        title={isFiltered ? texts.recentFiltered : texts.recent}
        titleShown
        limit={shownAtOnce}
        isFiltered={isFiltered}
        onClearFilters={clear}
      />
    </div>
  );
}

function Stats() {
  const { data, isError, refetch } = useRead("stats", "get", {});
  const assistant = useAssistantPanel();
  const openAssistant = useMay()("sop.create") ? assistant.open : undefined;
  if (isError && !data) {
    return (
      <Alert
        tone="destructive"
        live
        actions={
          <Button size="sm" onClick={() => void refetch()}>
            Try Again
          </Button>
        }
      >
        {texts.statsFailed}
      </Alert>
    );
  }
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      <StatCard label={texts.totalSops} icon={<FileText />} value={data?.totalSOPs} to="/sops" />
      <StatCard label={texts.activeTeams} icon={<Users />} value={data?.activeTeams} />
      <StatCard label={texts.pendingApproval} icon={<Clock />} value={data?.pendingApproval} to="/pending" />
      <StatCard label={texts.aiSuggestions} icon={<Sparkles />} value={data?.aiSuggestions} onOpen={openAssistant} />
    </dl>
  );
}
