/** Turns the steps of a write into events of the ledger. The git repository is built from these events. */
import { distinctWriters } from "../approvals/writers.ts";
import { createRepoEvent, type SopFilePlace, type RepoEvent, type Verb } from "../repository/event.ts";
import { defaultNumberLabel } from "../repository/names.ts";
import { repositoryPlaceOf } from "../repository/place.ts";
import { printedName } from "../users/printed-name.ts";
import type { StoredSop } from "./records.ts";
import { verbsWithoutCommit, type LifeCycleStep } from "./step.ts";

/** A step that becomes a commit of the repository. */
type CommittedStep = LifeCycleStep & { verb: Verb };
export function becomesCommit(step: LifeCycleStep): step is CommittedStep {
  return !(verbsWithoutCommit as readonly string[]).includes(step.verb);
}

/** The steps that one write takes with one SOP. */
export interface SopWrite {
  before: StoredSop | null;
  steps: readonly LifeCycleStep[];
}

/** Returns the version that a step is about: the published version for a publication, else the latest one. */
function subjectVersionOfStep({
  verb,
  sop,
}: CommittedStep): Pick<StoredSop, "version" | "title" | "contentHash" | "assets"> {
  return verb === "publish" && sop.published ? sop.published : sop;
}

/** Verbs that put a version and its linked assets on a branch. */
const verbsWithAssets: ReadonlySet<Verb> = new Set<Verb>(["create", "save", "restore", "publish"]);

/** Returns the files (`<sha256>.<ext>`) of the assets that these writes link on a branch, even if they aren't stored. */
export function assetFilesForBranches(writes: readonly SopWrite[]): string[] {
  return writes.flatMap(({ steps }) =>
    steps
      .filter(becomesCommit)
      .flatMap((step) => (verbsWithAssets.has(step.verb) ? subjectVersionOfStep(step).assets : [])),
  );
}

interface LedgerAuthor {
  user: { _id: string; name: string; companyId: string; username?: string };
  origin: { requestId: string } | null;
  at: string;
}

interface LedgerContext {
  /** The number of the last event that the write adds. */
  seq: number;
  /** category id → slug */
  slugs: ReadonlyMap<string, string>;
  /** Files (`<sha256>.<ext>`) of the assets that are stored. */
  stored: ReadonlySet<string>;
}

/** Returns the paths of the SOP's file on both branches. @param slugOf returns the slug of a category */
export function filePlacesOfSop(sop: StoredSop, slugOf: (categoryId: string | null) => string | null): SopFilePlace {
  return repositoryPlaceOf({
    ...sop,
    published: sop.published && { ...sop.published, categorySlug: slugOf(sop.published.categoryId) },
    lastPublished: sop.lastPublished?.version ?? null,
    categorySlug: slugOf(sop.categoryId),
  });
}

/** @returns one event for each committed step, or one for all steps of an import */
export function ledgerEvents(
  { user, origin, at }: LedgerAuthor,
  writes: readonly SopWrite[],
  { seq, slugs, stored }: LedgerContext,
  importId: string | undefined,
): RepoEvent[] {
  const slugOf = (categoryId: string | null) => (categoryId === null ? null : (slugs.get(categoryId) ?? null));
  const placeOf = (sop: StoredSop) => filePlacesOfSop(sop, slugOf);
  const ledgerItem = (before: StoredSop | null, step: CommittedStep) => {
    const { verb, sop } = step;
    const subject = subjectVersionOfStep(step);
    // the version that `main` shows or showed, if it differs from the event's version
    const onMain = sop.published ?? sop.lastPublished ?? before?.published ?? before?.lastPublished ?? null;
    return {
      sopId: sop._id,
      version: subject.version,
      number: sop.number,
      ...(sop.label === defaultNumberLabel(sop.number) ? {} : { label: sop.label }),
      title: subject.title,
      contentHash: subject.contentHash,
      assets: verbsWithAssets.has(verb) ? subject.assets.filter((file) => stored.has(file)) : [],
      ...(onMain && onMain.version !== subject.version
        ? { inForce: { title: onMain.title, contentHash: onMain.contentHash } }
        : {}),
      before: before ? placeOf(before) : null,
      after: placeOf(sop),
    };
  };
  const common = {
    companyId: user.companyId,
    at,
    authorId: user._id,
    authorName: printedName(user),
    ...(origin ? { requestId: origin.requestId } : {}),
  };
  if (importId !== undefined) {
    const steps = writes.flatMap((write) => write.steps.filter(becomesCommit));
    const items = writes.flatMap(({ before, steps }) =>
      steps.filter(becomesCommit).map((step) => ledgerItem(before, step)),
    );
    return [createRepoEvent({ ...common, seq, type: "import", importId, ...coAuthorsField(steps), items })];
  }
  const rows = writes.flatMap(({ before, steps }) =>
    steps.flatMap((step, index) =>
      becomesCommit(step) ? [{ step, before: index === 0 ? before : (steps[index - 1]?.sop ?? null) }] : [],
    ),
  );
  return rows.map(({ step, before }, index) =>
    createRepoEvent({
      ...common,
      seq: seq - rows.length + index + 1,
      type: step.verb,
      ...(step.note ? { note: step.note } : {}),
      ...aiModelField(step),
      ...coAuthorsField([step]),
      ...(step.restores === undefined ? {} : { restores: step.restores }),
      ...(step.approvals && step.approvals.length > 0 ? { approvals: [...step.approvals] } : {}),
      items: [ledgerItem(before, step)],
    }),
  );
}

/** Returns the AI models that wrote a part of the step's text, for a trailer of the commit. */
function aiModelField({ version }: LifeCycleStep): { aiModel?: string } {
  const models = [...new Set(version?.ai?.map(({ model }) => model))];
  return models.length === 0 ? {} : { aiModel: models.join(", ") };
}

/** Returns the people besides the author who wrote parts of the new versions, for trailers of the commit. */
function coAuthorsField(steps: readonly LifeCycleStep[]): Pick<RepoEvent, "coAuthors"> {
  const writers = distinctWriters(steps.flatMap(({ version }) => version?.writers ?? []));
  if (writers.length === 0) return {};
  return { coAuthors: writers.map(({ id: userId, ...rest }) => ({ userId, ...rest })) };
}
