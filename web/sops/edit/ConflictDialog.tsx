/**
 * Shown when another user has saved first. Merges changes that only one user made, and asks about places that both
 * users changed.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { compareWithBase, type MergeComparison, type MergePlace, type MergeSide } from "#core/diff/places.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { haveSameValues, sopFormValuesOf, type ComparedField } from "#core/sops/form-values.ts";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useClient, type AppClient } from "../../api.ts";
import { ChangeReview } from "../../proposed-changes/ChangeReview.tsx";
import { isChangedPlace, type SideChoice } from "../../proposed-changes/entries.ts";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { dateTimeText } from "../../ui/time.ts";
import { LoadingMessage } from "../../ui/LoadingMessage.tsx";
import { ConflictFields } from "./ConflictFields.tsx";
import { conflictTexts as texts } from "./edit-texts.ts";
import { differingFields, mergedValues, sideOfField, sideOfPlace, type FieldSide } from "./merge-values.ts";

interface ConflictDialogProps {
  id: string;
  mine: SopForm;
  /** The SOP as this screen last knew it. Its version can differ from `baseVersion`. */
  base: Sop;
  /** The version that the user's changes are based on. */
  baseVersion: number;
  categoryName(id: string): string;
  busy: boolean;
  onSave(theirs: Sop, values: SopForm): void;
  onEdit(theirs: Sop, values: SopForm): void;
  onTakeTheirs(theirs: Sop): void;
  onClose(): void;
}

interface FoundConflict {
  theirs: Sop;
  savedBy: string;
  savedAt: string;
  comparison: MergeComparison;
  base: Partial<SopForm>;
}

/** Shows loading, merging and errors in the same dialog, so that the focus stays inside. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { id, mine, base, baseVersion } = props;
  const client = useClient();
  const { data: found, isError } = useQuery({
    queryKey: ["conflict", id, baseVersion, mine],
    queryFn: () => loadConflict(client, base, baseVersion, mine),
    gcTime: 0,
  });
  const [decided, setDecided] = useState<ConflictDecisions | null>(null);
  const decisions = decided ?? (found ? preselectedDecisions(found, mine) : null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      size="full"
      title={texts.title}
      {...(found && {
        description: texts.saved({
          name: found.savedBy,
          version: found.theirs.version,
          at: dateTimeText(found.savedAt),
          base: baseVersion,
        }),
      })}
      footer={
        <>
          <Button onClick={props.onClose}>{texts.keepEditing}</Button>
          {found && decisions && <ConflictActions {...props} found={found} decisions={decisions} />}
        </>
      }
    >
      {found && decisions ? (
        <ConflictMerge
          found={found}
          mine={mine}
          decisions={decisions}
          onDecide={setDecided}
          categoryName={props.categoryName}
        />
      ) : isError ? (
        <Alert tone="destructive" live>
          {texts.failed}
        </Alert>
      ) : (
        <LoadingMessage>{texts.loading}</LoadingMessage>
      )}
    </Dialog>
  );
}

async function loadConflict(client: AppClient, known: Sop, baseVersion: number, mine: SopForm): Promise<FoundConflict> {
  const { id } = known;
  const [theirs, base, versions] = await Promise.all([
    client.sops.get({ params: { id } }),
    client.sops.version({ params: { id, version: baseVersion } }),
    client.sops.versions({ params: { id } }),
  ]);
  const row = versions.find(({ version }) => version === theirs.version);
  return {
    theirs,
    savedBy: row ? printedName(row.changedBy) : theirs.author ? printedName(theirs.author) : texts.someone,
    savedAt: row?.createdAt ?? theirs.updatedAt,
    comparison: compareWithBase(base.markdown, formatMarkdown(mine.markdown), theirs.markdown),
    // A stored version has only title and description. If the base version was opened here, all its values are known.
    base: known.version === baseVersion ? sopFormValuesOf(known) : { title: base.title, description: base.description },
  };
}

const [takeMine, takeTheirs, takeBoth]: readonly SideChoice[] = [
  { side: "mine", label: texts.takeMine, shortcut: "m" },
  { side: "theirs", label: texts.takeTheirs, shortcut: "t" },
  { side: "both", label: texts.takeBoth, shortcut: "b" },
];
const conflictChoicesOf = ({ by, mine, theirs }: MergePlace): SideChoice[] =>
  [takeMine, takeTheirs, by === "both" && mine !== "" && theirs !== "" ? takeBoth : undefined].filter(
    (choice) => choice !== undefined,
  );
const labels = { none: "", mine: texts.onlyMine, theirs: texts.onlyTheirs, both: texts.both } as const;

interface ConflictDecisions {
  places: ReadonlyMap<number, MergeSide>;
  fields: Partial<Record<ComparedField, FieldSide>>;
}

function preselectedDecisions({ comparison, theirs, base }: FoundConflict, mine: SopForm): ConflictDecisions {
  const sides = comparison.places.map((place, index) => [index, sideOfPlace(place)] as const);
  const differing = differingFields(mine, sopFormValuesOf(theirs));
  return {
    places: new Map(sides.filter((side): side is [number, MergeSide] => side[1] !== undefined)),
    fields: Object.fromEntries(differing.map((field) => [field, sideOfField(field, base, mine)])),
  };
}

function countUndecidedPlaces({ comparison: { places } }: FoundConflict, decisions: ConflictDecisions): number {
  return places.filter((place, index) => isChangedPlace(place) && !decisions.places.has(index)).length;
}

type ConflictActionsProps = ConflictDialogProps & { found: FoundConflict; decisions: ConflictDecisions };

function ConflictActions({ found, decisions, mine, busy, onSave, onEdit, onTakeTheirs }: ConflictActionsProps) {
  const { theirs, comparison } = found;
  const other = sopFormValuesOf(theirs);
  const isOpen = countUndecidedPlaces(found, decisions) > 0;
  const merged = isOpen ? null : mergedValues(mine, other, comparison, decisions.places, decisions.fields);
  if (merged && haveSameValues(merged, other)) {
    return (
      <Button variant="primary" onClick={() => onTakeTheirs(theirs)}>
        {texts.useTheirs}
      </Button>
    );
  }
  return (
    <>
      <Button disabled={!merged} onClick={() => merged && onEdit(theirs, merged)}>
        {texts.edit}
      </Button>
      <Button variant="primary" disabled={!merged} busy={busy} onClick={() => merged && onSave(theirs, merged)}>
        {texts.save}
      </Button>
    </>
  );
}

interface MergeProps {
  found: FoundConflict;
  mine: SopForm;
  decisions: ConflictDecisions;
  onDecide(decisions: ConflictDecisions): void;
  categoryName(id: string): string;
}

function ConflictMerge({ found, mine, decisions, onDecide, categoryName }: MergeProps) {
  const { theirs, comparison } = found;
  const { places, fields } = decisions;
  const differing = differingFields(mine, sopFormValuesOf(theirs));
  const changes = comparison.places.filter(isChangedPlace).length;
  const open = countUndecidedPlaces(found, decisions);
  const sides = [texts.mine, texts.theirs({ version: theirs.version })] as const;
  const takeAll = (side: FieldSide): void =>
    onDecide({
      places: new Map(comparison.places.map((_, index) => [index, side])),
      fields: Object.fromEntries(differing.map((field) => [field, side])),
    });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {differing.length > 0 && (
        <ConflictFields
          title={changes === 0 ? texts.sameText : texts.details}
          differing={differing}
          mine={mine}
          theirs={theirs}
          sides={sides}
          chosen={fields}
          onChoose={(field, side) => onDecide({ ...decisions, fields: { ...fields, [field]: side } })}
          categoryName={categoryName}
        />
      )}
      <ChangeReview
        comparison={comparison}
        isChange={isChangedPlace}
        choicesOf={conflictChoicesOf}
        remarksOf={({ by }) => ({ label: labels[by], why: [], lost: [], ...(by === "both" && { sides }) })}
        chosen={places}
        onChoose={(index, side) => onDecide({ ...decisions, places: new Map(places).set(index, side) })}
      >
        <Button size="sm" onClick={() => takeAll("mine")}>
          {texts.allMine}
        </Button>
        <Button size="sm" onClick={() => takeAll("theirs")}>
          {texts.allTheirs}
        </Button>
        <output className="text-sm text-muted">
          {changes > open
            ? `${texts.left({ open })} · ${texts.merged({ count: changes - open })}`
            : texts.left({ open })}
        </output>
      </ChangeReview>
    </div>
  );
}
