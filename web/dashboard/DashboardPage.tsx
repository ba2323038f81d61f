/** The home page: work that waits for the user, the user's SOPs, and the company's numbers. */
import { useRef, useEffect, type RefObject } from "react";
import { Link } from "react-router-dom";
import { useRead } from "../api.ts";
import { useApprovalsToDecideSettled } from "../approvals/use-approvals-to-decide.ts";
import { useMay } from "../session.tsx";
import { ImportPlace } from "../import/ImportPlace.tsx";
import { FilterBar } from "../sops/list/FilterBar.tsx";
import { SopListEmpty } from "../sops/list/SopListEmpty.tsx";
import { SopList } from "../sops/list/SopList.tsx";
import { sopListQueryOf, useSopFilters } from "../sops/list/use-sop-filters.ts";
import { Alert } from "../ui/Alert.tsx";
import { CompanyFigures } from "./Company.tsx";
import { useFirstSteps } from "./FirstSteps.tsx";
import { LateAndGaps } from "./Late.tsx";
import { Section } from "../ui/Section.tsx";
import { DraftShelf, ReaderShelves, useUnfinishedRun, useReaderShelvesSettled, UnfinishedRunRow } from "./Shelves.tsx";
import { damageTexts } from "./damage-texts.ts";
import { firstStepsTexts, mirrorTexts, texts } from "./texts.ts";
import { WaitingWork } from "./WaitingWork.tsx";
import { typingFieldOf } from "../shortcuts/keys.ts";
import { useSingleKeys } from "../shortcuts/use-command.ts";

const shownAtOnce = 12;

export function DashboardPage() {
  const { filters, set, clear, isFiltered } = useSopFilters();
  const isAuthor = useMay()("sop.create");
  const page = useRef<HTMLDivElement>(null);
  useHomeRowKeys(page);
  const needs = useRead("stats", "needs", {});
  const { run, isKnown: isRunKnown } = useUnfinishedRun();
  const areShelvesKnown = useReaderShelvesSettled(!isAuthor);
  const isEmpty = useRead("stats", "get", {}).data?.totalSOPs === 0 && !isFiltered;
  const isSettled = useApprovalsToDecideSettled() && !needs.isPending && areShelvesKnown && isRunKnown;
  // Before the first SOP is published, there are no numbers to show and no list to filter.
  const isFirstDay = useFirstSteps()?.steps.published === false;
  return (
    <div ref={page} className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <WaitingWork />
      {/* Rendered from the start to load its data, but hidden until the content above has its final height. */}
      <div hidden={!isSettled} className="grid grid-cols-[minmax(0,1fr)] gap-8">
        {(needs.data?.unreadable ?? 0) > 0 && (
          <Alert tone="destructive" title={damageTexts.unreadable({ count: needs.data?.unreadable ?? 0 })}>
            {damageTexts.ask}
          </Alert>
        )}
        {needs.data?.settingsLost && (
          <Alert tone="warning" title={damageTexts.settingsLost}>
            <Link to="/admin/company">{damageTexts.check}</Link>
          </Alert>
        )}
        {needs.data?.mirrorStopped && (
          <Alert tone="destructive" title={mirrorTexts.stopped}>
            <Link to="/admin/company/mirror">{mirrorTexts.decide}</Link>
          </Alert>
        )}
        <UnfinishedRunRow run={run} />
        {isAuthor ? (
          <>
            <DraftShelf />
            <LateAndGaps />
          </>
        ) : (
          <ReaderShelves />
        )}
        {isFirstDay ? (
          <Section title={firstStepsTexts.bring}>
            <ImportPlace
              text={firstStepsTexts.bringText}
              action={firstStepsTexts.import}
              className="border-b border-line py-2"
            />
          </Section>
        ) : isEmpty ? (
          <SopListEmpty />
        ) : (
          <>
            <CompanyFigures />
            <SopList
              query={sopListQueryOf(filters)}
              title={isFiltered ? texts.recentFiltered : texts.recent}
              tools={<FilterBar filters={filters} set={set} clear={clear} isFiltered={isFiltered} withSort={false} />}
              limit={shownAtOnce}
              isFiltered={isFiltered}
              onClearFilters={clear}
            />
          </>
        )}
      </div>
    </div>
  );
}

/**
 * j and k move through all rows of the home page, beginning with the waiting work. A row is a link, so Enter opens it.
 */
function useHomeRowKeys(page: RefObject<HTMLElement | null>): void {
  const [singleKeys] = useSingleKeys();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
      if (step === 0 || singleKeys === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (typingFieldOf(event.target) !== "none" || document.querySelector("[data-overlay]")) return;
      const rows = [...(page.current?.querySelectorAll<HTMLElement>("[data-row], [data-sop]") ?? [])];
      const inView = rows.filter((row) => row.checkVisibility?.() !== false);
      const at = inView.findIndex((row) => row === document.activeElement);
      // The list of SOPs at the end handles the same keys and must not move too.
      event.preventDefault();
      inView[at === -1 ? (step === 1 ? 0 : inView.length - 1) : at + step]?.focus();
    };
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, [page, singleKeys]);
}
