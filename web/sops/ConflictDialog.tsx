/** A save that came too late: both texts side by side and every way on, so that nothing is lost. */
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { useClient, useRead, type AppClient } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { dateTimeText } from "../ui/time.ts";
import { conflictTexts as texts, controlTexts, texts as formTexts } from "./edit-texts.ts";
import { comparedFields, valuesOf, type ComparedField } from "./edit-values.ts";
import type { DiffLine } from "./edit-merge.ts";
import { Waiting } from "./VersionHistory.tsx";

interface ConflictDialogProps {
  id: string;
  mine: SopForm;
  /** The version mine was written on. */
  baseVersion: number;
  categoryName(id: string): string;
  busy: boolean;
  onTakeMine(theirs: Sop): void;
  onTakeTheirs(theirs: Sop): void;
  onCombine(theirs: Sop, values: SopForm): void;
  onClose(): void;
}

interface Comparison {
  theirs: Sop;
  savedBy: string;
  savedAt: string;
  lines: DiffLine[];
  combined: SopForm | null;
}

export function ConflictDialog({ id, mine, baseVersion, categoryName, busy, ...on }: ConflictDialogProps) {
  const client = useClient();
  const comparison = useQuery({
    queryKey: ["conflict", id, baseVersion, mine],
    queryFn: () => compare(client, id, baseVersion, mine),
    gcTime: 0,
  });
  const found = comparison.data;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && on.onClose()}
      size="full"
      title={texts.title}
      {...(found && {
        description: `${found.savedBy} saved version ${found.theirs.version} on ${dateTimeText(found.savedAt)}. Yours was written on version ${baseVersion}. Nothing is lost: choose how to go on.`,
      })}
      footer={
        <>
          <Button onClick={on.onClose}>{texts.keepEditing}</Button>
          {found && (
            <>
              <Button onClick={() => on.onTakeTheirs(found.theirs)}>{texts.takeTheirs}</Button>
              {found.combined && (
                <Button onClick={() => found.combined && on.onCombine(found.theirs, found.combined)}>
                  {texts.combine}
                </Button>
              )}
              <Button variant="primary" busy={busy} onClick={() => on.onTakeMine(found.theirs)}>
                {texts.takeMine}
              </Button>
            </>
          )}
        </>
      }
    >
      {comparison.isPending && <Waiting>{texts.loading}</Waiting>}
      {comparison.isError && (
        <Alert tone="destructive" live>
          {texts.failed}
        </Alert>
      )}
      {found && <Sides comparison={found} mine={mine} categoryName={categoryName} />}
    </Dialog>
  );
}

async function compare(client: AppClient, id: string, baseVersion: number, mine: SopForm): Promise<Comparison> {
  const [theirs, base, versions, { compareTexts, mergeTexts }] = await Promise.all([
    client.sops.get({ params: { id } }),
    client.sops.version({ params: { id, version: baseVersion } }),
    client.sops.versions({ params: { id } }),
    import("./edit-merge.ts"),
  ]);
  const markdown = mergeTexts(base.markdown, mine.markdown, theirs.markdown);
  const row = versions.find(({ version }) => version === theirs.version);
  return {
    theirs,
    savedBy: row?.changedBy.name ?? theirs.author?.name ?? "Somebody",
    savedAt: row?.createdAt ?? theirs.updatedAt,
    lines: compareTexts(theirs.markdown, mine.markdown),
    combined: markdown === null ? null : { ...combineFields(base, mine, valuesOf(theirs)), markdown },
  };
}

/** What I changed is mine, the rest is theirs. Versions know title and description; of the others theirs is the newer. */
function combineFields(base: { title: string; description: string }, mine: SopForm, theirs: SopForm): SopForm {
  return {
    ...theirs,
    title: mine.title === base.title ? theirs.title : mine.title,
    description: mine.description === base.description ? theirs.description : mine.description,
    changeNote: mine.changeNote,
  };
}

const labels: Record<ComparedField, string> = {
  title: formTexts.title,
  description: formTexts.description,
  categoryId: formTexts.category,
  status: formTexts.status,
  readTime: formTexts.readTime,
  isTemplate: formTexts.template,
  ownerId: controlTexts.owner,
  teamId: controlTexts.team,
  effectiveAt: controlTexts.effective,
  reviewBy: controlTexts.review,
};

function teamName(teams: readonly { id: string; name: string }[], id: string): string {
  if (id === "") return controlTexts.noTeam;
  return teams.find((team) => team.id === id)?.name ?? controlTexts.unknownTeam;
}

function Sides({
  comparison: { theirs, lines, combined },
  mine,
  categoryName,
}: {
  comparison: Comparison;
  mine: SopForm;
  categoryName(id: string): string;
}) {
  const values = valuesOf(theirs);
  const differing = comparedFields.filter((field) => values[field] !== mine[field]);
  const people = useRead("users", "list", {});
  const teams = useRead("teams", "list", {}, { enabled: differing.includes("teamId") });
  const shown = (field: ComparedField, from: SopForm): string => {
    if (field === "categoryId") return categoryName(from.categoryId);
    if (field === "teamId") return teamName(teams.data ?? [], from.teamId);
    const owner = people.data?.find(({ id }) => id === from.ownerId)?.name ?? theirs.control.owner?.name;
    return field === "ownerId" && from.ownerId !== "" ? (owner ?? controlTexts.unknownOwner) : String(from[field]);
  };
  const sides = [
    { kind: "mine" as const, name: texts.mine, from: mine },
    { kind: "theirs" as const, name: `Version ${theirs.version} on the server`, from: values },
  ];
  const isSame = lines.every(({ kind }) => kind === "same");
  return (
    <div className="grid gap-4">
      {!combined && <Alert tone="warning">{texts.cannotCombine}</Alert>}
      {isSame && differing.length > 0 && <p>{texts.sameText}</p>}
      <div className="grid gap-4 md:grid-cols-2">
        {sides.map(({ kind, name, from }) => (
          <section key={kind} aria-label={name} className="min-w-0">
            <h3 className="mb-2 font-semibold">{name}</h3>
            {differing.length > 0 && (
              <dl className="mb-3 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 rounded-md bg-sunken px-3 py-2">
                {differing.map((field) => (
                  <div key={field} className="contents">
                    <dt className="text-muted">{labels[field]}</dt>
                    <dd className="break-words">{shown(field, from)}</dd>
                  </div>
                ))}
              </dl>
            )}
            <DiffSide lines={lines} kind={kind} />
          </section>
        ))}
      </div>
    </div>
  );
}

function DiffSide({ lines, kind }: { lines: readonly DiffLine[]; kind: "mine" | "theirs" }) {
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[48dvh] overflow-auto rounded-md border border-line bg-surface font-mono text-xs leading-5"
    >
      {lines
        .filter((line) => line.kind === "same" || line.kind === kind)
        .map((line, index) => (
          <p
            key={index}
            className={clsx(
              "flex gap-2 px-2 break-words whitespace-pre-wrap",
              line.kind === "mine" && "bg-success-soft",
              line.kind === "theirs" && "bg-warning-soft",
            )}
          >
            <span aria-hidden className="w-2 shrink-0 text-muted select-none">
              {line.kind === "same" ? "" : line.kind === "mine" ? "+" : "•"}
            </span>
            <span className="min-w-0">
              {line.kind !== "same" && (
                <span className="sr-only">{line.kind === "mine" ? texts.onlyMine : texts.onlyTheirs}: </span>
              )}
              {line.text || "\u00a0"}
            </span>
          </p>
        ))}
    </div>
  );
}
