/**
 * Handles lost parts: those parts of a company's ledger that a restored backup lacked. Lost parts are never added
 * again, so that every server makes the same commits. An event that is lost, or that has a lost text or image, gets a
 * commit of the type `unreadable`.
 */
import { fileOnBranch, isBranchChangedBy } from "#core/repository/changes.ts";
import {
  createUnreadableEvent,
  type Branch,
  type SopFilePlace,
  type RepoEvent,
  type RepoEventItem,
} from "#core/repository/event.ts";
import { defaultNumberLabel } from "#core/repository/names.ts";
import type { RepositoryLoss } from "../findings/known-losses.ts";
import { sha256 } from "../hashing.ts";
import type { Ledger, VersionKey } from "./ledger.ts";

const branches = ["history", "main"] as const;
const eventsAtOnce = 1_000;
const filesAtOnce = 200;
/** The widest gap between numbers of events. A wider gap comes from an altered number. */
const gapAtMost = 100_000;
const partlyLost = "A text or an image of this change is lost on the server.";
const wholeLost = "The record of this change is lost on the server. Its files are as the next changes found them.";

/** Says whether the event got another commit after the restore, because the event or an earlier one has a lost part. */
export function isRecommitted(losses: readonly RepositoryLoss[], seq: number): boolean {
  return losses.some(({ from, to }) => seq >= from && seq <= to);
}

export function lastLostSeq(losses: readonly RepositoryLoss[]): number {
  return losses.reduce((seq, { events }) => Math.max(seq, events.at(-1) ?? -1), -1);
}

/**
 * Returns the events of a page in the form in which they are committed. A stand-in replaces a lost event; a file with a
 * lost text is left out.
 */
export function eventsWithLossStandIns(
  losses: readonly RepositoryLoss[],
  companyId: string,
  stored: readonly RepoEvent[],
  { from, limit }: { from: number; limit: number },
): RepoEvent[] {
  const lost = new Set(losses.flatMap(({ events }) => events));
  const first = losses.reduce((seq, { events }) => Math.min(seq, events[0] ?? Infinity), Infinity);
  const last = stored.length < limit ? Infinity : (stored.at(-1)?.seq ?? -1);
  const changes = Map.groupBy(
    losses.flatMap((loss) => loss.changes),
    ({ seq }) => seq,
  );
  const inPlace = [...lost]
    .filter((seq) => seq >= from && seq <= last)
    .map((seq): RepoEvent => {
      const items = (changes.get(seq) ?? []).map(({ item }) => item);
      return { ...createUnreadableEvent(companyId, seq), note: wholeLost, items };
    });
  const parts = createLossFilter(losses);
  return [...stored.filter(({ seq }) => !lost.has(seq)), ...inPlace]
    .toSorted((a, b) => a.seq - b.seq)
    .slice(0, limit)
    .map((event) => ({
      ...parts.event(event),
      ...(event.seq > first && { isAfterUnreadable: true }),
      ...(isRecommitted(losses, event.seq) && { state: "pending" }),
    }));
}

/** Creates functions that leave out the lost texts and images of a file or event. */
function createLossFilter(losses: readonly RepositoryLoss[]): {
  place(sopId: string, place: SopFilePlace | null): SopFilePlace | null;
  event(event: RepoEvent): RepoEvent;
} {
  const texts = new Set(losses.flatMap(({ versions }) => versions.map(versionKeyText)));
  const withoutLostFiles = (sopId: string, place: SopFilePlace | null): SopFilePlace | null => {
    const isLost = (version: number | null) => version !== null && texts.has(versionKeyText({ sopId, version }));
    if (place === null || !(isLost(place.version) || isLost(place.mainVersion))) return place;
    return {
      ...place,
      path: isLost(place.version) ? null : place.path,
      mainPath: isLost(place.mainVersion) ? null : place.mainPath,
    };
  };
  const withoutLostParts = (event: RepoEvent): RepoEvent => {
    const images = new Set(losses.flatMap(({ to, assets }) => (event.seq <= to ? assets : [])));
    let isWhole = true;
    const items = event.items.map((item): RepoEventItem => {
      const known = {
        ...item,
        before: withoutLostFiles(item.sopId, item.before),
        after: withoutLostFiles(item.sopId, item.after),
      };
      const isLost = (branch: Branch) =>
        isBranchChangedBy(item, branch) &&
        fileOnBranch(item.after, branch) !== null &&
        fileOnBranch(known.after, branch) === null;
      if (branches.some(isLost)) isWhole = false;
      const assets = item.assets?.filter((name) => !images.has(hashInAssetName(name)));
      if (assets === undefined || assets.length === item.assets?.length) return known;
      // only the event that adds the version reports the loss
      if (item.before?.version !== item.version) isWhole = false;
      return { ...known, assets };
    });
    return isWhole ? { ...event, items } : { ...event, items, type: "unreadable", note: partlyLost };
  };
  return { place: withoutLostFiles, event: withoutLostParts };
}

const versionKeyText = ({ sopId, version }: VersionKey) => `${sopId} ${version}`;

function hashInAssetName(name: string): string {
  return name.split(".")[0] ?? name;
}

export interface PresentSop {
  sopId: string;
  number: number;
  label: string;
  title: string;
  place: SopFilePlace;
  /** True if the record of the SOP's category is missing, so that the folder is unknown. */
  isCategoryLost: boolean;
}

/**
 * Finds parts of the ledger that are missing and not yet recorded as lost.
 * @param last the last event that the company had
 * @returns null if no further part is missing
 */
export async function findNewLoss(
  ledger: Ledger,
  { companyId, last, sops }: { companyId: string; last: number; sops: readonly PresentSop[] },
  known: readonly RepositoryLoss[],
): Promise<RepositoryLoss | null> {
  /** Versions that events need, each with the first event that needs it. */
  const versions = new Map<string, VersionKey & { seq: number }>();
  const assets = new Map<string, number>();
  const places = new Map<string, SopFilePlace | null>();
  const loss: RepositoryLoss = {
    companyId,
    from: Infinity,
    to: last,
    events: [],
    changes: [],
    versions: [],
    assets: [],
  };
  const noteNeededVersions = (sopId: string, place: SopFilePlace | null, seq: number): void => {
    for (const branch of branches) {
      const { version } = fileOnBranch(place, branch) ?? {};
      const known = version === undefined ? null : versions.get(versionKeyText({ sopId, version }));
      if (version !== undefined && (known?.seq ?? Infinity) > seq)
        versions.set(versionKeyText({ sopId, version }), { sopId, version, seq });
    }
  };
  const noteMissing = (seq: number) => void (loss.from = Math.min(loss.from, seq));
  /**
   * Finds the changes of lost events by comparing the file's path with that of the next event. They count for the last
   * lost event.
   */
  const noteLostChange = async (
    sop: Omit<PresentSop, "place" | "isCategoryLost">,
    place: SopFilePlace | null,
  ): Promise<void> => {
    const before = places.get(sop.sopId) ?? null;
    const seq = loss.events.at(-1);
    if (seq === undefined || place === null || branches.every((branch) => !isFileDifferent(before, place, branch)))
      return;
    const { version } = place;
    const [bytes] = await ledger.files(companyId, [{ sopId: sop.sopId, version }]);
    const { sopId, number, label, title } = sop;
    const item = {
      sopId,
      number,
      label,
      title,
      version,
      contentHash: bytes ? sha256(bytes) : "",
      before,
      after: place,
    };
    loss.changes.push({ seq, item });
    noteNeededVersions(sopId, place, seq);
  };
  let next = 0;
  const noteMissingUpTo = (end: number): void => {
    for (; next < end; next += 1) {
      loss.events.push(next);
      noteMissing(next);
    }
  };
  const readPage = async () => {
    const asked = { from: next, limit: eventsAtOnce };
    return eventsWithLossStandIns(known, companyId, await ledger.events(companyId, next, eventsAtOnce), asked);
  };
  for (let some = await readPage(); some.length > 0; some = await readPage()) {
    for (const { seq, items } of some) {
      if (seq - next > gapAtMost) return null;
      noteMissingUpTo(seq);
      next = seq + 1;
      for (const {
        sopId,
        number,
        label = defaultNumberLabel(number),
        title,
        before,
        after,
        assets: names = [],
      } of items) {
        await noteLostChange({ sopId, number, label, title }, before);
        places.set(sopId, after);
        noteNeededVersions(sopId, after, seq);
        for (const name of names) if (!assets.has(hashInAssetName(name))) assets.set(hashInAssetName(name), seq);
      }
    }
  }
  noteMissingUpTo(last + 1);
  const around = createLossFilter(known);
  for (const sop of sops) {
    const { sopId } = sop;
    const place = sop.isCategoryLost ? placeInFolderOf(places.get(sopId) ?? null, sop.place) : sop.place;
    await noteLostChange(sop, around.place(sopId, place));
  }
  const wanted = [...versions.values()];
  for (let at = 0; at < wanted.length; at += filesAtOnce) {
    const some = wanted.slice(at, at + filesAtOnce);
    const files = await ledger.files(companyId, some);
    for (const [index, { sopId, version, seq }] of some.entries()) {
      if (files[index] !== null) continue;
      loss.versions.push({ sopId, version });
      noteMissing(seq);
    }
  }
  for (const [hash, seq] of assets) {
    if ((await ledger.asset(companyId, hash)) !== null) continue;
    loss.assets.push(hash);
    noteMissing(seq);
  }
  return Number.isFinite(loss.from) ? loss : null;
}

/** Returns the place with the file in the folder of its last known path. */
function placeInFolderOf(known: SopFilePlace | null, place: SopFilePlace): SopFilePlace {
  const movedPath = (to: string | null, from: string | null | undefined) => {
    const [root, folder, file] = to?.split("/") ?? [];
    return file === undefined ? to : [root, from?.split("/")[1] ?? folder, file].join("/");
  };
  const { path, mainPath } = place;
  return {
    ...place,
    path: movedPath(path, known?.path),
    mainPath: movedPath(mainPath, known?.mainPath ?? known?.path),
  };
}

function isFileDifferent(one: SopFilePlace | null, other: SopFilePlace | null, branch: Branch): boolean {
  const [before, after] = [fileOnBranch(one, branch), fileOnBranch(other, branch)];
  return before?.path !== after?.path || before?.version !== after?.version;
}
