/** Reviews proposed changes one by one. Accepted changes enter the text in one step; the rest of the text stays. */
import { useMemo, useState } from "react";
import type { MeaningChange } from "#core/ai/change-kinds.ts";
import { meaningChangesBetween, textOfMeaningChange, changeCountsText } from "#core/ai/changes.ts";
import type { FactLanguage } from "#core/ai/fact-words.ts";
import { detectFactLanguage } from "#core/ai/facts.ts";
import { lostTokens } from "#core/ai/protected-tokens.ts";
import type { ImprovedTextAnswer } from "#core/ai/schema.ts";
import { compareWithBase, textWithChoices, type MergePlace, type MergeSide } from "#core/diff/places.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { ChangeReview } from "../../proposed-changes/ChangeReview.tsx";
import { type SideChoice, withTableHead } from "../../proposed-changes/entries.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { texts } from "./enhance-texts.ts";
import { isAiKind, type ImprovedTextProposal } from "./use-enhance.ts";

interface EnhanceReviewProps {
  proposal: ImprovedTextProposal;
  onApply(markdown: string): void;
  onDiscard(): void;
}

const choices: readonly SideChoice[] = [
  { side: "theirs", label: texts.accept, shortcut: "a" },
  { side: "mine", label: texts.reject, shortcut: "r" },
];
/**
 * Says whether a change is proposed for a place. "both" means that the user has edited the place since, so the proposed
 * change is out of date.
 */
const isProposedPlace = ({ by }: MergePlace): boolean => by === "theirs" || by === "both";

export function EnhanceReview({ proposal, onApply, onDiscard }: EnhanceReviewProps) {
  const { answer, mine, kind } = proposal;
  const comparison = useMemo(() => compareWithBase(answer.base, formatMarkdown(mine), answer.markdown), [answer, mine]);
  const marks = useMemo(() => {
    const language = detectFactLanguage(answer.base);
    return comparison.places.map((place) => (place.by === "theirs" ? proposalRemarksOf(place, language) : noRemarks));
  }, [answer, comparison]);
  const open = comparison.places.flatMap(({ by }, index) => (by === "theirs" ? [index] : []));
  const marked = open.filter((index) => isMarked(marks[index]));
  // Changes that alter facts or remove elements start as rejected, so that the user accepts them one by one.
  const [chosen, setChosen] = useState<ReadonlyMap<number, MergeSide>>(
    () => new Map(marked.map((index) => [index, "mine"])),
  );
  const accepted = open.filter((index) => chosen.get(index) === "theirs").length;
  const stale = comparison.places.filter(({ by }) => by === "both").length;
  const mergedText = (): string =>
    textWithChoices(comparison, ({ by }, index) => (by === "theirs" ? (chosen.get(index) ?? "mine") : "mine"));
  const acceptAll = (): void =>
    setChosen(new Map(open.map((index) => [index, marked.includes(index) ? (chosen.get(index) ?? "mine") : "theirs"])));
  const by = answer.ai ? texts.madeBy({ model: answer.ai.model, prompt: answer.ai.prompt }) : texts.madeByRules;
  const counted = changeCountsText(open.flatMap((index) => marks[index]?.changes ?? []));
  const summary = answer.ai ? improvementSummaryText(open.length, marked.length, counted) : answer.summary;
  const isEmpty = open.length + stale === 0;

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onDiscard()}
      size="wide"
      title={answer.ai ? texts.button : texts.byRules}
      description={[summary, by].filter(Boolean).join(" · ")}
      footer={
        <>
          <Button onClick={onDiscard}>{texts.discard}</Button>
          {!isEmpty && (
            <Button variant="primary" disabled={accepted === 0} onClick={() => onApply(mergedText())}>
              {texts.apply({ count: accepted })}
            </Button>
          )}
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {isEmpty ? (
          <EmptyState
            title={texts.nothing}
            hint={isAiKind(kind) ? texts.nothingByAi : `${texts.nothingByRules} ${texts.left}`}
          />
        ) : (
          <ChangeReview
            comparison={comparison}
            isChange={isProposedPlace}
            choicesOf={(place) => (place.by === "theirs" ? choices : [])}
            remarksOf={(place) => ({
              ...(place.by === "both" && { label: texts.stale }),
              why: changeReasonsOf(answer, place),
              changes: marks[comparison.places.indexOf(place)]?.changes.map(textOfMeaningChange) ?? [],
              lost: marks[comparison.places.indexOf(place)]?.lost ?? [],
            })}
            chosen={chosen}
            onChoose={(index, side) => setChosen(new Map(chosen).set(index, side))}
          >
            <Button size="sm" onClick={acceptAll}>
              {marked.length > 0 ? texts.acceptRest : texts.acceptAll}
            </Button>
            <Button size="sm" onClick={() => setChosen(new Map(open.map((index) => [index, "mine"])))}>
              {texts.rejectAll}
            </Button>
            <output className="text-sm text-muted">{countsText(accepted, open.length - chosen.size, stale)}</output>
          </ChangeReview>
        )}
        <DroppedChanges dropped={answer.dropped} />
      </div>
    </Dialog>
  );
}

function DroppedChanges({ dropped }: Pick<ImprovedTextAnswer, "dropped">) {
  if (dropped.length === 0) return null;
  return (
    <details className="rounded-md border border-line bg-surface text-sm">
      <summary className="px-3.5 py-2.5">{texts.dropped({ count: dropped.length })}</summary>
      <ul className="divide-y divide-line border-t border-line">
        {dropped.map(({ edit, reason, lost, changes }, index) => (
          <li key={index} className="px-3.5 py-2 break-words">
            {edit.why !== "" && texts.quoted({ words: edit.why })}
            <p className="text-muted">{[texts.droppedFor[reason], lost.join(", ")].filter(Boolean).join(" ")}</p>
            {changes.length > 0 && <p className="text-muted">{changes.map(textOfMeaningChange).join(", ")}</p>}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface ProposalRemarks {
  changes: MeaningChange[];
  /** Links, images, code and open points that the proposed change would remove. */
  lost: string[];
}

const noRemarks: ProposalRemarks = { changes: [], lost: [] };

function isMarked({ changes, lost }: ProposalRemarks = noRemarks): boolean {
  return changes.length > 0 || lost.length > 0;
}

function proposalRemarksOf(place: MergePlace, language: FactLanguage | null): ProposalRemarks {
  const [before, after] = [withTableHead(place, place.base), withTableHead(place, place.theirs)];
  const isRow = place.kind === "row" && (place.base === "" || place.theirs === "");
  const changes = isRow
    ? meaningChangesBetween(place.base, place.theirs, language)
    : meaningChangesBetween(before, after, language);
  const said = changes.map((change) => change.before.toLowerCase().replace(/\s/g, ""));
  const lost = lostTokens(before, after, language).filter(
    (token) => !said.some((text) => text.includes(token.toLowerCase().replace(/\s/g, ""))),
  );
  return { changes, lost };
}

/** Returns the reasons for a change: the model's words in quotes, or the findings of rules that the change fixes. */
function changeReasonsOf(
  { edits, findings, ai }: ImprovedTextAnswer,
  { from, to, base, line, endLine }: MergePlace,
): string[] {
  if (ai === null) {
    const left = new Set(findings.after.map(({ rule, message }) => `${rule} ${message}`));
    const here = findings.before.filter((one) => one.line >= line && one.line <= endLine);
    return distinctWords(
      here.filter(({ rule, message }) => !left.has(`${rule} ${message}`)).map(({ message }) => message),
    );
  }
  const own = edits.filter(({ blockId, op }) => {
    const block = Number(blockId.slice(1)) - 1;
    return block >= from && block <= to && (op !== "insertAfter" || base === "" || from < to);
  });
  return distinctWords(own.map(({ why }) => why)).map((words) => texts.quoted({ words }));
}

function distinctWords(words: readonly string[]): string[] {
  return [...new Set(words.filter((word) => word !== ""))];
}

function improvementSummaryText(changes: number, marked: number, counted: string): string {
  const of = counted === "" ? texts.marked({ count: marked }) : texts.markedAs({ count: marked, counted });
  return [texts.changes({ count: changes }), marked > 0 && of].filter(Boolean).join(", ");
}

function countsText(accepted: number, open: number, stale: number): string {
  return [
    texts.accepted({ count: accepted }),
    open > 0 && texts.toDecide({ count: open }),
    stale > 0 && texts.notApplied({ count: stale }),
  ]
    .filter(Boolean)
    .join(" · ");
}
