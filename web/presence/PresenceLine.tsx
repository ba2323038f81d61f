/** A line that says who else is editing this SOP: 'Ann Archer is editing'. */
import { useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { AppWindow } from "lucide-react";
import { useEffect, useState } from "react";
import { catalog } from "#core/language/catalog.ts";
import { newId } from "#core/ids.ts";
import type { PresenceState } from "#core/presence/rules.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead, type Output, queryKeyOf, useClient } from "../api.ts";
import { useMay, useSession } from "../session.tsx";
import { Avatar } from "../ui/Avatar.tsx";
import { startAnnouncingTab } from "./announce-tab.ts";

const texts = catalog("presence.presence-line", {
  openElsewhere: "You have this open in another tab",
  editingElsewhere: "You are editing this in another tab",
  editing: "{name} is editing",
  editingTwo: "{name} and {other} are editing",
  editingMore: "{name} and {others, number} others are editing",
});

const facesShown = 3;

/** On the edit screen, announces this user to others and shows who else is editing. */
export function EditPresence({ id }: { id: string }) {
  const { tab, isKnown } = useAnnouncePresence(id);
  const { data } = useRead("presence", "list", { params: { id } }, { enabled: isKnown });
  const isOpenElsewhere = data?.ownTabs.some((own) => own !== tab) === true;
  return <EditingPeopleLine people={data?.people ?? []} own={isOpenElsewhere ? texts.openElsewhere : null} />;
}

/** On the SOP's page, shows who is editing to users who can see drafts. */
export function ViewPresence({ sop }: { sop: Sop }) {
  const seesLatest = useMay()("sop.read_head", sop);
  const { data } = useRead("presence", "list", { params: { id: sop.id } }, { enabled: seesLatest });
  const isOpenElsewhere = (data?.ownTabs.length ?? 0) > 0;
  return <EditingPeopleLine people={data?.people ?? []} own={isOpenElsewhere ? texts.editingElsewhere : null} />;
}

interface LineProps {
  people: Output<"presence", "list">["people"];
  /** A text about the user's other tabs with this SOP. */
  own: string | null;
}

function EditingPeopleLine({ people, own }: LineProps) {
  const names = people.map(({ name }) => name);
  return (
    // The element is always there, so that screen readers announce changes. While empty it takes no room.
    <output
      data-print="hide"
      className="inline-flex max-w-full flex-wrap items-center gap-x-3 gap-y-1 text-t2 text-muted empty:absolute"
    >
      {names.length > 0 && (
        <span className="inline-flex min-w-0 items-center gap-1.5" title={names.join(", ")}>
          <PeopleFaces people={people} />
          <span className="min-w-0 break-words">{editingText(names)}</span>
        </span>
      )}
      {own !== null && (
        <span className="inline-flex min-w-0 items-center gap-1.5">
          <AppWindow aria-hidden className="size-4 shrink-0" />
          {own}
        </span>
      )}
    </output>
  );
}

/** @param names at least one name */
function editingText([name = "", other = "", ...more]: readonly string[]): string {
  if (other === "") return texts.editing({ name });
  return more.length === 0 ? texts.editingTwo({ name, other }) : texts.editingMore({ name, others: more.length + 1 });
}

function PeopleFaces({ people }: Pick<LineProps, "people">) {
  return (
    <span aria-hidden className="-my-0.5 flex shrink-0">
      {people.slice(0, facesShown).map(({ id, initials }, index) => (
        <span key={id} className={clsx("rounded-full", index > 0 && "-ml-0.5 ring-2 ring-bg")}>
          <Avatar initials={initials} size="sm" />
        </span>
      ))}
    </span>
  );
}

/**
 * Announces that the user is editing the SOP while the screen is shown. `isKnown` is true once the server has answered.
 */
function useAnnouncePresence(id: string): { tab: string; isKnown: boolean } {
  const client = useClient();
  const queryClient = useQueryClient();
  const { turn } = useSession();
  const [tab] = useState(newId);
  const [isKnown, setIsKnown] = useState(false);
  useEffect(() => {
    const began = turn();
    const params = { id };
    const key = queryKeyOf("presence", "list", { params });
    const sendState = async (state: PresenceState) => {
      const body = { tab, state };
      // The page may close before the answer arrives, so the last request uses keepalive.
      const answer = client.presence.announce({ params, body, ...(state === "gone" && { keepalive: true as const }) });
      const presence = await answer.finally(() => setIsKnown(true));
      const known = queryClient.getQueryState(key);
      if (known?.data === undefined || known.isInvalidated) queryClient.setQueryData(key, presence);
    };
    const announcing = startAnnouncingTab(sendState);
    return () => announcing.stop(turn() === began);
  }, [client, queryClient, id, tab, turn]);
  return { tab, isKnown };
}
