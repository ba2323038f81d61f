/** SOPs after random lives, by the rules of `core/life-cycle` alone: without a server and people. */
import fc from "fast-check";
import { AppError } from "#core/errors.ts";
import { archiveStep, deleteStep, unarchiveStep, undeleteStep } from "#core/life-cycle/archive.ts";
import { assertCanPublishDirectly, planScheduledDay, publishStep, unpublishStep } from "#core/life-cycle/publish.ts";
import type { StoredSop } from "#core/life-cycle/records.ts";
import { createStep, saveStep, type VersionToStore } from "#core/life-cycle/save.ts";

const at = "2026-06-01T08:00:00.000Z";
const later = "2026-07-01";

function made(version: number): VersionToStore {
  const frontMatter = { title: "Rinse", description: "D" };
  const rest = { assets: [], assetPlaces: [], contentHash: `${version}`, textMarks: [], restores: null, repoSeq: 0 };
  const by = { changedBy: "ana", changedByName: "Ana", changeNote: null, changeClass: "major" as const };
  const stored = { _id: `v${version}`, companyId: "c", sopId: "s", version, ...frontMatter, frontMatter };
  return {
    version: { ...stored, markdown: "Text\n", ...rest, ...by, createdAt: at },
    relations: { ownerId: null, teamId: null },
    assets: [],
    linksTo: [],
  };
}

const publication = { at, note: null, reviewMonths: null };
const moves = {
  save: (sop: StoredSop) => saveStep(sop, made(sop.version + 1)),
  publish(sop: StoredSop) {
    assertCanPublishDirectly(sop, "flexible", true);
    return publishStep(sop, publication);
  },
  schedule(sop: StoredSop) {
    assertCanPublishDirectly(sop, "flexible", true);
    return publishStep(sop, { ...publication, effective: later });
  },
  "reach the day": (sop: StoredSop) => (sop.scheduled ? planScheduledDay(sop, true, `${later}T00:00:00.000Z`) : null),
  lapse: (sop: StoredSop) => (sop.scheduled ? planScheduledDay(sop, false, `${later}T00:00:00.000Z`) : null),
  unpublish: (sop: StoredSop) => unpublishStep(sop, at, null),
  archive: (sop: StoredSop) => archiveStep(sop, at, null),
  unarchive: (sop: StoredSop) => unarchiveStep(sop, at, null),
  delete: (sop: StoredSop) => (sop.deletedAt === null ? deleteStep(sop, at) : undeleteStep(sop, at)),
};
type Move = keyof typeof moves;

/** The SOP after a move. A refused move changes nothing. */
function after(sop: StoredSop, move: Move): StoredSop {
  if (sop.deletedAt !== null && move !== "delete") return sop;
  if (sop.status === "archived" && move === "save") return sop;
  try {
    return moves[move](sop)?.sop ?? sop;
  } catch (error) {
    if (error instanceof AppError) return sop;
    throw error;
  }
}

const first = createStep(
  { id: "s", companyId: "c", number: 1, label: "SOP-0001", slug: "rinse", categoryId: null },
  made(1),
).sop;

/** The SOP after a life of up to 8 moves. */
export const someLife: fc.Arbitrary<StoredSop> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom<Move>("save", "publish", "schedule", "schedule") },
      fc.constantFrom(...(Object.keys(moves) as Move[])),
    ),
    { maxLength: 8 },
  )
  .map((some) => some.reduce(after, first));
