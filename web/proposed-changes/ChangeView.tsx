import { clsx } from "clsx";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { MergePlace, MergeSide } from "#core/diff/places.ts";
import { Button } from "../ui/Button.tsx";
import { withTableHead, type SideChoice } from "./entries.ts";
import { MarkdownDiff } from "./MarkdownDiff.tsx";
import { texts } from "./texts.ts";

/** Texts shown beside a change. */
export interface ChangeRemarks {
  /** The heading, such as 'Changed by you' or 'Stale: …'; by default the kind of change. */
  label?: string;
  why: readonly string[];
  /** Facts that the change alters: a figure, a unit, a word of duty. */
  changes?: readonly string[];
  /** Elements that the change would remove, such as links or images. */
  lost: readonly string[];
  /** The names of the two sides, if both have a text to choose. */
  sides?: readonly [mine: string, theirs: string];
}

interface ChangeViewProps {
  place: MergePlace;
  position: string;
  remarks: ChangeRemarks;
  choices: readonly SideChoice[];
  chosen: MergeSide | undefined;
  onChoose(side: MergeSide): void;
}

export function ChangeView({ place, position, remarks, choices, chosen, onChoose }: ChangeViewProps) {
  const { label = changeKindText(place), why, changes = [], lost, sides } = remarks;
  const answer = choices.find(({ side }) => side === chosen);
  const isOpen = choices.length > 0 && !answer;
  return (
    <fieldset
      aria-label={`${position}: ${label}`}
      data-change={place.by}
      tabIndex={-1}
      className={clsx("min-w-0 border-s-4 py-0.5 ps-3", isOpen ? "border-primary" : "border-line")}
    >
      <div className="mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p className="text-xs font-semibold text-muted">
          {position} · {label}
        </p>
        <span className="ml-auto flex flex-wrap gap-2">
          {choices.map(({ side, label: name, shortcut }) => (
            <Button
              key={side}
              size="sm"
              variant={side === chosen ? "primary" : "outline"}
              aria-pressed={side === chosen}
              aria-keyshortcuts={shortcut}
              onClick={() => onChoose(side)}
            >
              {name}
            </Button>
          ))}
        </span>
      </div>
      {why.map((reason) => (
        <p key={reason} className="mb-1.5 text-sm text-muted">
          {reason}
        </p>
      ))}
      <LabeledList label={texts.differs} items={changes} />
      <LabeledList label={texts.loses} items={lost} />
      {sides ? <BothSides place={place} names={sides} /> : <OneSide place={place} />}
    </fieldset>
  );
}

function LabeledList({ label, items }: { label: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <p className="mb-1.5 flex items-start gap-1.5 text-sm text-warning">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">
        <span className="font-semibold">{label}:</span> {items.join(", ")}
      </span>
    </p>
  );
}

function OneSide({ place }: { place: MergePlace }) {
  const [before, after] = [place.base, place.by === "mine" ? place.mine : place.theirs];
  return <PlaceChange place={place} before={before} after={after} />;
}

function BothSides({ place, names: [mine, theirs] }: { place: MergePlace; names: readonly [string, string] }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NamedSide name={mine}>
        <PlaceChange place={place} before={place.base} after={place.mine} />
      </NamedSide>
      <NamedSide name={theirs}>
        <PlaceChange place={place} before={place.base} after={place.theirs} />
      </NamedSide>
    </div>
  );
}

function NamedSide({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name} className="min-w-0">
      <p className="mb-1.5 text-xs font-semibold">{name}</p>
      {children}
    </section>
  );
}

function PlaceChange({ place, before, after }: { place: MergePlace; before: string; after: string }) {
  const isRow = place.kind === "row";
  // An added or removed row is marked, and the table's header isn't.
  if (isRow && (before === "" || after === "")) {
    const lines = [before, after].map((row) => (row === "" ? place.head : withTableHead(place, row)));
    return <MarkdownDiff before={lines[0] ?? ""} after={lines[1] ?? ""} />;
  }
  return <MarkdownDiff before={withTableHead(place, before)} after={withTableHead(place, after)} />;
}

function changeKindText({ base, theirs, mine, by }: MergePlace): string {
  const now = by === "mine" ? mine : theirs;
  return base === "" ? texts.added : now === "" ? texts.removed : texts.changed;
}
