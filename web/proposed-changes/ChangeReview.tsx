/**
 * Shows changes to a text and lets the user accept or reject each one by mouse or keyboard. The caller stores the
 * choices.
 */
import "../sops/diff/diff.css";
import "../editor/alerts.css";
import { ArrowDown, ArrowUp, UnfoldVertical } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { MergeComparison, MergePlace, MergeSide } from "#core/diff/places.ts";
import { Button } from "../ui/Button.tsx";
import { ChangeView, type ChangeRemarks } from "./ChangeView.tsx";
import { reviewEntriesOf, withTableHead, currentTextOf, type SideChoice } from "./entries.ts";
import { MarkdownDiff } from "./MarkdownDiff.tsx";
import { texts } from "./texts.ts";

export interface ChangeReviewProps {
  comparison: MergeComparison;
  isChange(place: MergePlace): boolean;
  choicesOf(place: MergePlace): readonly SideChoice[];
  remarksOf(place: MergePlace): ChangeRemarks;
  chosen: ReadonlyMap<number, MergeSide>;
  onChoose(index: number, side: MergeSide): void;
  /** Counts and buttons for all changes at once. */
  children: ReactNode;
}

export function ChangeReview(props: ChangeReviewProps) {
  const { comparison, isChange, choicesOf, remarksOf, chosen, onChoose, children } = props;
  const region = useRef<HTMLElement>(null);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `isChange` gives the same results during a review
  const entries = useMemo(() => reviewEntriesOf(comparison, isChange), [comparison]);
  const changes = entries.filter((entry) => "index" in entry && entry.index >= 0);

  const letters = [
    ...new Set(
      changes.flatMap((entry) =>
        "place" in entry ? choicesOf(entry.place).map(({ shortcut, label }) => `${shortcut} ${label}`) : [],
      ),
    ),
  ];

  const shownChanges = (): HTMLElement[] => [...(region.current?.querySelectorAll<HTMLElement>("[data-change]") ?? [])];
  const currentIndex = (): number => shownChanges().findIndex((one) => one.contains(document.activeElement));
  const showChange = (at: number): void => {
    const all = shownChanges();
    const target = all[Math.min(Math.max(at, 0), all.length - 1)];
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: "nearest" });
  };
  const stepToChange = (by: 1 | -1): void =>
    showChange(currentIndex() === -1 ? (by === 1 ? 0 : shownChanges().length - 1) : currentIndex() + by);
  useEffect(() => region.current?.querySelector<HTMLElement>("[data-change]")?.focus({ preventScroll: true }), []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      return stepToChange(event.key === "j" ? 1 : -1);
    }
    const at = currentIndex();
    const entry = changes[at];
    if (!entry || !("index" in entry)) return;
    const choice = choicesOf(entry.place).find(({ shortcut }) => shortcut === event.key);
    if (!choice) return;
    event.preventDefault();
    onChoose(entry.index, choice.side);
    showChange(at + 1);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the letters are a second way; the buttons are the first
    <section
      ref={region}
      aria-label={texts.region}
      onKeyDown={onKeyDown}
      className="diff grid grid-cols-[minmax(0,1fr)] gap-4"
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={() => stepToChange(-1)} aria-keyshortcuts="k">
          <ArrowUp aria-hidden />
          {texts.previous}
        </Button>
        <Button size="sm" onClick={() => stepToChange(1)} aria-keyshortcuts="j">
          <ArrowDown aria-hidden />
          {texts.next}
        </Button>
        {children}
        <span className="ml-auto text-xs text-muted max-lg:hidden">
          {[`j ${texts.next}`, `k ${texts.previous}`, ...letters].join(" · ")}
        </span>
      </div>
      {entries.map((entry, at) => {
        if ("unchanged" in entry) return <UnchangedPlaces key={at} places={entry.unchanged} />;
        if (entry.index < 0) return <CurrentText key={at} place={entry.place} />;
        return (
          <ChangeView
            key={at}
            place={entry.place}
            position={texts.place({ at: changes.indexOf(entry) + 1, of: changes.length })}
            remarks={remarksOf(entry.place)}
            choices={choicesOf(entry.place)}
            chosen={chosen.get(entry.index)}
            onChoose={(side) => onChoose(entry.index, side)}
          />
        );
      })}
    </section>
  );
}

function CurrentText({ place }: { place: MergePlace }) {
  const text = withTableHead(place, currentTextOf(place));
  return <MarkdownDiff before={text} after={text} />;
}

function UnchangedPlaces({ places }: { places: readonly MergePlace[] }) {
  const [open, setOpen] = useState(false);
  if (open) return places.map((place, index) => <CurrentText key={index} place={place} />);
  return (
    <Button size="sm" variant="soft" className="w-fit" onClick={() => setOpen(true)}>
      <UnfoldVertical aria-hidden />
      {texts.unchanged({ count: places.length })}
    </Button>
  );
}
