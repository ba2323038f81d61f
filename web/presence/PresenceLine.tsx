/** Who else is editing this SOP, in one calm line: 'Ann Archer is editing'. */
import { clsx } from "clsx";
import { AppWindow } from "lucide-react";
import type { Sop } from "#core/sops/schema.ts";
import { useRead, type Output } from "../api.ts";
import { useMay } from "../session.tsx";
import { Avatar } from "../ui/Avatar.tsx";
import { texts } from "./texts.ts";
import { useAnnounced } from "./use-announced.ts";

const facesShown = 3;

/** On the edit screen: says to others that this user is at it, and who else is. */
export function EditPresence({ id }: { id: string }) {
  const { tab, isKnown } = useAnnounced(id);
  const { data } = useRead("presence", "list", { params: { id } }, { enabled: isKnown });
  const isOpenElsewhere = data?.ownTabs.some((own) => own !== tab) === true;
  return <Line people={data?.people ?? []} own={isOpenElsewhere ? texts.openElsewhere : null} />;
}

/** On the SOP's page, for who sees the draft that is being written. */
export function ViewPresence({ sop }: { sop: Sop }) {
  const seesHead = useMay()("sop.read_head", sop);
  const { data } = useRead("presence", "list", { params: { id: sop.id } }, { enabled: seesHead });
  const isOpenElsewhere = (data?.ownTabs.length ?? 0) > 0;
  return <Line people={data?.people ?? []} own={isOpenElsewhere ? texts.editingElsewhere : null} />;
}

interface LineProps {
  people: Output<"presence", "list">["people"];
  /** What to say of the reader's own other tabs. */
  own: string | null;
}

function Line({ people, own }: LineProps) {
  const names = people.map(({ name }) => name);
  return (
    // always there, so that a change is read out; while empty it takes no room
    <output
      data-print="hide"
      className="inline-flex max-w-full flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted empty:absolute"
    >
      {names.length > 0 && (
        <span className="inline-flex min-w-0 items-center gap-1.5" title={names.join(", ")}>
          <Faces people={people} />
          <span className="min-w-0 break-words">{texts.editing(names)}</span>
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

function Faces({ people }: Pick<LineProps, "people">) {
  return (
    <span aria-hidden className="-my-0.5 flex shrink-0 -space-x-0.5">
      {people.slice(0, facesShown).map(({ id, initials }, index) => (
        <span key={id} className={clsx("rounded-full", index > 0 && "ring-2 ring-bg")}>
          <Avatar initials={initials} size="sm" />
        </span>
      ))}
    </span>
  );
}
