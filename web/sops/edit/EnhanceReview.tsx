/** A proposal, change by change; what is accepted is put into the text as one step, everything else leaves it as it is. */
import { useMemo, useState } from "react";
import { lostTokens } from "#core/ai/protected-tokens.ts";
import type { ImprovedTextAnswer } from "#core/ai/schema.ts";
import { compareTexts, applyChoices, type Place, type Side } from "#core/diff/places.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { ChangeReview } from "../../proposed-changes/ChangeReview.tsx";
import { type Choice, withTableHead } from "../../proposed-changes/entries.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { texts } from "./enhance-texts.ts";
import { isAi, type Proposal } from "./use-enhance.ts";

interface EnhanceReviewProps {
  proposal: Proposal;
  onApply(markdown: string): void;
  onDiscard(): void;
}

const choices: readonly Choice[] = [
  { side: "theirs", label: texts.accept, shortcut: "a" },
  { side: "mine", label: texts.reject, shortcut: "r" },
];
/** Both: the writer went on with this very place, and what was proposed for it is not for this text. */
const isProposed = ({ by }: Place): boolean => by === "theirs" || by === "both";

export function EnhanceReview({ proposal, onApply, onDiscard }: EnhanceReviewProps) {
  const { answer, mine, kind } = proposal;
  const comparison = useMemo(() => compareTexts(answer.base, formatMarkdown(mine), answer.markdown), [answer, mine]);
  const lost = useMemo(
    () => comparison.places.map((place) => (place.by === "theirs" ? lostAt(place) : [])),
    [comparison],
  );
  const open = comparison.places.flatMap(({ by }, index) => (by === "theirs" ? [index] : []));
  const losing = open.filter((index) => (lost[index]?.length ?? 0) > 0);
  // what would lose something starts out rejected, and is accepted only by itself
  const [chosen, setChosen] = useState<ReadonlyMap<number, Side>>(
    () => new Map(losing.map((index) => [index, "mine"])),
  );
  const accepted = open.filter((index) => chosen.get(index) === "theirs").length;
  const stale = comparison.places.filter(({ by }) => by === "both").length;
  const mergedText = (): string =>
    applyChoices(comparison, ({ by }, index) => (by === "theirs" ? (chosen.get(index) ?? "mine") : "mine"));
  const acceptAll = (): void =>
    setChosen(new Map(open.map((index) => [index, losing.includes(index) ? (chosen.get(index) ?? "mine") : "theirs"])));
  const by = answer.ai ? texts.madeBy(answer.ai.model, answer.ai.prompt) : texts.madeByRules;
  const isEmpty = open.length + stale === 0;

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onDiscard()}
      size="wide"
      title={answer.ai ? texts.button : texts.byRules}
      description={[answer.summary, by].filter(Boolean).join(" · ")}
      footer={
        <>
          <Button onClick={onDiscard}>{texts.discard}</Button>
          {!isEmpty && (
            <Button variant="primary" disabled={accepted === 0} onClick={() => onApply(mergedText())}>
              {texts.apply(accepted)}
            </Button>
          )}
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {isEmpty ? (
          <EmptyState
            title={texts.nothing}
            hint={isAi(kind) ? texts.nothingByAi : `${texts.nothingByRules} ${texts.left}`}
          />
        ) : (
          <ChangeReview
            comparison={comparison}
            isChange={isProposed}
            choicesOf={(place) => (place.by === "theirs" ? choices : [])}
            remarksOf={(place) => ({
              ...(place.by === "both" && { label: texts.stale }),
              why: reasonsOf(answer, place),
              lost: lost[comparison.places.indexOf(place)] ?? [],
            })}
            chosen={chosen}
            onChoose={(index, side) => setChosen(new Map(chosen).set(index, side))}
          >
            <Button size="sm" onClick={acceptAll}>
              {losing.length > 0 ? texts.acceptRest : texts.acceptAll}
            </Button>
            <Button size="sm" onClick={() => setChosen(new Map(open.map((index) => [index, "mine"])))}>
              {texts.rejectAll}
            </Button>
            <output className="text-sm text-muted">{texts.counts(accepted, open.length - chosen.size, stale)}</output>
          </ChangeReview>
        )}
        <Dropped dropped={answer.dropped} />
      </div>
    </Dialog>
  );
}

function Dropped({ dropped }: Pick<ImprovedTextAnswer, "dropped">) {
  if (dropped.length === 0) return null;
  return (
    <details className="rounded-md border border-line bg-surface text-sm">
      <summary className="px-3.5 py-2.5">{texts.dropped(dropped.length)}</summary>
      <ul className="divide-y divide-line border-t border-line">
        {dropped.map(({ edit, reason, lost }, index) => (
          <li key={index} className="px-3.5 py-2 break-words">
            {edit.why}
            <p className="text-muted">{[texts.droppedFor[reason], lost.join(", ")].filter(Boolean).join(" ")}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Figures, units, links, warnings and words that forbid, which the place holds and the proposal for it doesn't. */
function lostAt(place: Place): string[] {
  return lostTokens(withTableHead(place, place.base), withTableHead(place, place.theirs));
}

/** The model's own words for the blocks of the place; of rules, what they found in its lines and find no more. */
function reasonsOf({ edits, findings, ai }: ImprovedTextAnswer, { from, to, base, line, endLine }: Place): string[] {
  if (ai === null) {
    const left = new Set(findings.after.map(({ rule, message }) => `${rule} ${message}`));
    const here = findings.before.filter((one) => one.line >= line && one.line <= endLine);
    return unique(here.filter(({ rule, message }) => !left.has(`${rule} ${message}`)).map(({ message }) => message));
  }
  const own = edits.filter(({ blockId, op }) => {
    const block = Number(blockId.slice(1)) - 1;
    return block >= from && block <= to && (op !== "insertAfter" || base === "" || from < to);
  });
  return unique(own.map(({ why }) => why));
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words.filter((word) => word !== ""))];
}
