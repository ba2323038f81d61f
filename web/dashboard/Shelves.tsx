/**
 * Lists of the user's work: for all users steps in progress, for readers favorites and recent SOPs, for authors drafts.
 */
import { useState } from "react";
import { useRead, type Input } from "../api.ts";
import { useMe } from "../session.tsx";
import { findLatestRun } from "../sops/steps/run-state.ts";
import { Section } from "../ui/Section.tsx";
import { timeAgo } from "../ui/time.ts";
import { HomeRow, HomeRows } from "./HomeRows.tsx";
import { ageText } from "./ages.ts";
import { shelfTexts as texts } from "./texts.ts";

const shownAtOnce = 5;
const favorites = { favorite: "true", limit: shownAtOnce } as const;
const recent = { recent: "month", limit: shownAtOnce } as const;

/**
 * The query for SOPs of the last month. It finds the SOP of an unfinished run, because starting a run opens the SOP.
 */
const recentlyOpened = { recent: "month", limit: 50 } as const;
/** The age in milliseconds from which an unfinished run is no longer offered: a week. */
const maxRunAgeMs = 7 * 24 * 3_600_000;

/**
 * Returns the last unfinished run of an SOP's steps in this browser, with the SOP's title from the server. `run` is
 * undefined or null if there is none.
 */
export function useUnfinishedRun() {
  const { id: userId } = useMe();
  const [run] = useState(() => findLatestRun(userId, maxRunAgeMs));
  // Reading the SOP itself would count as a view, so this reads the list.
  const { data, isPending } = useRead("sops", "list", { query: recentlyOpened }, { enabled: run !== null });
  const sop = data?.data.find(({ id }) => id === run?.sopId);
  return { run: sop && run && { ...run, title: sop.title }, isKnown: run === null || !isPending };
}

export function UnfinishedRunRow({ run }: Pick<ReturnType<typeof useUnfinishedRun>, "run">) {
  if (!run) return null;
  return (
    <Section title={texts.run}>
      <HomeRows>
        <HomeRow
          title={run.title}
          to={`/sop/${run.sopId}/steps`}
          stacked
          meta={texts.step({ next: run.next, total: run.total, ago: timeAgo(run.at) })}
          action={texts.continue}
        />
      </HomeRows>
    </Section>
  );
}

export function DraftShelf() {
  const drafts = useRead("stats", "needs", {}).data?.drafts ?? [];
  if (drafts.length === 0) return null;
  return (
    <Section title={texts.drafts} count={drafts.length}>
      <HomeRows>
        {drafts.slice(0, shownAtOnce).map(({ sop, updatedAt }) => (
          <HomeRow key={sop.id} title={sop.title} to={`/sop/${sop.id}/edit`} when={ageText(updatedAt)} />
        ))}
      </HomeRows>
    </Section>
  );
}

export function ReaderShelves() {
  return (
    <div className="grid gap-x-12 gap-y-8 empty:hidden lg:grid-cols-2">
      <SopShelf title={texts.favorites} query={favorites} />
      <SopShelf title={texts.recent} query={recent} />
    </div>
  );
}

/** Says whether both lists for readers have loaded or failed to load, or aren't shown. */
export function useReaderShelvesSettled(isShown: boolean): boolean {
  const reads = [
    useRead("sops", "list", { query: favorites }, { enabled: isShown }),
    useRead("sops", "list", { query: recent }, { enabled: isShown }),
  ];
  return !isShown || reads.every(({ isPending }) => !isPending);
}

function SopShelf({
  title,
  query,
}: {
  title: string;
  query: NonNullable<NonNullable<Input<"sops", "list">>["query"]>;
}) {
  const sops = useRead("sops", "list", { query }).data?.data ?? [];
  if (sops.length === 0) return null;
  return (
    <Section title={title}>
      <HomeRows>
        {sops.map(({ id, title: name, category }) => (
          <HomeRow key={id} title={name} to={`/sop/${id}`} {...(category && { when: category.name })} />
        ))}
      </HomeRows>
    </Section>
  );
}
