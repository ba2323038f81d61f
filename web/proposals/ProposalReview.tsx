/** Compares a proposal with the current text, place by place, and asks for the decision. */
import { Check, X } from "lucide-react";
import { useMemo, useState } from "react";
import type { MergePlace, MergeSide } from "#core/diff/places.ts";
import type { Proposal } from "#core/proposals/schema.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { ChangeReview } from "../proposed-changes/ChangeReview.tsx";
import { MarkdownDiff } from "../proposed-changes/MarkdownDiff.tsx";
import { isChangedPlace, type SideChoice } from "../proposed-changes/entries.ts";
import { Alert } from "../ui/Alert.tsx";
import { BottomBar } from "../ui/BottomBar.tsx";
import { Button } from "../ui/Button.tsx";
import { useToast } from "../ui/Toast.tsx";
import {
  proposalComparisonOf,
  initialChoices,
  acceptsWholeProposal,
  mergedText,
  countUndecidedPlaces,
  type ChosenChanges,
} from "./choices.ts";
import { DismissDialog } from "./DismissDialog.tsx";
import { ProposedFields } from "./ProposedFields.tsx";
import { texts } from "./texts.ts";

const [takeProposed, keepCurrent, takeBoth]: readonly SideChoice[] = [
  { side: "theirs", label: texts.takeProposed, shortcut: "t" },
  { side: "mine", label: texts.keepCurrent, shortcut: "m" },
  { side: "both", label: texts.takeBoth, shortcut: "b" },
];
const proposalChoicesOf = ({ by, mine, theirs }: MergePlace): SideChoice[] =>
  [keepCurrent, takeProposed, by === "both" && mine !== "" && theirs !== "" ? takeBoth : undefined].filter(
    (choice) => choice !== undefined,
  );
const labels = { none: "", theirs: texts.onlyProposed, mine: texts.onlyCurrent, both: texts.both } as const;
const sides = [texts.current, texts.proposed] as const;

export function ProposalReview({ proposal }: { proposal: Proposal }) {
  const { current, proposed, fields, mayDecide, mayDismiss } = proposal;
  const comparison = useMemo(() => proposalComparisonOf(proposal), [proposal]);
  const [chosen, setChosen] = useState<ChosenChanges>(() => initialChoices(proposal, comparison));
  const isChoosing = mayDecide && comparison !== null;
  const chooseSide = (index: number, side: MergeSide): void =>
    setChosen({ ...chosen, places: new Map(chosen.places).set(index, side) });
  const chooseField = (key: string, isTaken: boolean): void => {
    const taken = new Set(chosen.fields);
    if (isTaken) taken.add(key);
    else taken.delete(key);
    setChosen({ ...chosen, fields: taken });
  };
  const open = comparison && isChoosing ? countUndecidedPlaces(comparison, chosen) : 0;
  const isArchive = proposal.kind === "archive";
  const isSame = comparison !== null && !comparison.places.some(isChangedPlace);
  return (
    <>
      <ProposedFields fields={fields} chosen={chosen.fields} onChoose={isChoosing ? chooseField : undefined} />
      {isArchive && <p>{texts.archiveText}</p>}
      {isArchive || !comparison || !current ? (
        <MarkdownDiff before={proposed.markdown} after={proposed.markdown} />
      ) : isSame ? (
        <p className="text-muted">{texts.noChange}</p>
      ) : (
        <ChangeReview
          comparison={comparison}
          isChange={isChangedPlace}
          choicesOf={isChoosing ? proposalChoicesOf : () => []}
          remarksOf={({ by }) => ({ label: labels[by], why: [], lost: [], ...(by === "both" && { sides }) })}
          chosen={chosen.places}
          onChoose={chooseSide}
        >
          {isChoosing && <output className="text-sm text-muted">{texts.left({ open })}</output>}
        </ChangeReview>
      )}
      {(mayDecide || mayDismiss) && (
        <ProposalDecision
          proposal={proposal}
          isOpen={!isArchive && open > 0}
          isWhole={isArchive || acceptsWholeProposal(proposal, comparison, chosen)}
          merged={() => ({
            markdown: comparison ? mergedText(comparison, chosen) : proposed.markdown,
            version: current?.version ?? 0,
            fields: [...chosen.fields],
          })}
        />
      )}
    </>
  );
}

interface ProposalDecisionProps {
  proposal: Proposal;
  /** True if a place is still undecided. */
  isOpen: boolean;
  /** True if the choices accept the whole proposal unchanged. */
  isWhole: boolean;
  /** Returns the text and the details that the user has chosen. */
  merged(): { markdown: string; version: number; fields: string[] };
}

function ProposalDecision({ proposal, isOpen, isWhole: asIs, merged }: ProposalDecisionProps) {
  const { id, mayDecide, isCurrent, kind } = proposal;
  const isArchive = kind === "archive";
  const accept = useWrite("proposals", "accept");
  const merge = useWrite("proposals", "merge");
  const toast = useToast();
  const [isDismissing, setDismissing] = useState(false);
  const error = accept.error ?? merge.error;
  const submit = (): void => {
    if (asIs)
      return accept.mutate(
        { params: { id } },
        { onSuccess: () => toast({ title: isArchive ? texts.archived : texts.accepted }) },
      );
    merge.mutate({ params: { id }, body: merged() }, { onSuccess: () => toast({ title: texts.merged }) });
  };
  return (
    <BottomBar className="px-0! sm:px-0!">
      <fieldset aria-label={texts.decide} className="flex min-w-0 grow flex-wrap items-center gap-2">
        {error && (
          <div className="basis-full">
            <Alert tone="destructive" live>
              {errorMessageOf(error, texts.decideFailed)}
            </Alert>
          </div>
        )}
        {mayDecide && !isArchive && (
          <p className="min-w-40 flex-1 text-sm text-muted">{isCurrent ? texts.acceptHint : texts.mergeHint}</p>
        )}
        <Button className="ml-auto" onClick={() => setDismissing(true)}>
          <X aria-hidden />
          {texts.dismiss}
        </Button>
        {mayDecide && (
          <Button variant="primary" disabled={isOpen} busy={accept.isPending || merge.isPending} onClick={submit}>
            <Check aria-hidden />
            {isArchive ? texts.archive : asIs ? texts.accept : texts.merge}
          </Button>
        )}
      </fieldset>
      {isDismissing && <DismissDialog proposal={proposal} onClose={() => setDismissing(false)} />}
    </BottomBar>
  );
}
