/**
 * Computes from an event the changes in each branch's tree. It only uses the states before and after in the event, and
 * reads no database.
 */
import type { Branch, SopFilePlace, RepoEvent, RepoEventItem } from "./event.ts";
import { assetPath } from "./names.ts";
import { categoriesFileText, categoriesFilePath, repoFileText, repoFilePath } from "./repo-files.ts";

export type TreeChange =
  | { kind: "remove"; path: string }
  | { kind: "text"; path: string; text: string }
  | { kind: "asset"; path: string; sha256: string }
  | {
      kind: "file";
      path: string;
      sopId: string;
      version: number;
      /** The SHA-256 that the file must have; null if the event doesn't know it. */
      contentHash: string | null;
      /**
       * The file of the repository with the same bytes; null: read the bytes from the ledger. The branch itself is read
       * as it was before the event; `history`, for `main`, as it is after the event.
       */
      from: { branch: Branch; path: string } | null;
    };

export interface EventChanges {
  history: TreeChange[];
  main: TreeChange[];
}

interface PlacedFile {
  path: string;
  version: number;
}

/**
 * The changes of an event on each branch. Without changes, `main` gets no commit; `history` has one commit for every
 * event.
 */
export function treeChangesOf(event: RepoEvent): EventChanges {
  const settings = settingsChanges(event);
  return {
    history: [...settings, ...event.items.flatMap(historyBranchChanges)],
    main: [...settings, ...event.items.flatMap(mainChanges)],
  };
}

/** The file of an SOP on a branch; null if there is none. */
export function fileOnBranch(place: SopFilePlace | null, branch: Branch): PlacedFile | null {
  if (place === null) return null;
  if (branch === "history") return place.path === null ? null : { path: place.path, version: place.version };
  if (place.mainPath === null || place.mainVersion === null) return null;
  return { path: place.mainPath, version: place.mainVersion };
}

export function isBranchChangedBy(item: RepoEventItem, branch: Branch): boolean {
  const before = fileOnBranch(item.before, branch);
  const after = fileOnBranch(item.after, branch);
  return before?.path !== after?.path || before?.version !== after?.version;
}

function settingsChanges(event: RepoEvent): TreeChange[] {
  const changes: TreeChange[] = [];
  if (event.company !== undefined) {
    changes.push({ kind: "text", path: repoFilePath, text: repoFileText(event.companyId, event.company.epoch) });
  }
  if (event.categories !== undefined) {
    changes.push({ kind: "text", path: categoriesFilePath, text: categoriesFileText(event.categories) });
  }
  return changes;
}

function historyBranchChanges(item: RepoEventItem): TreeChange[] {
  return itemChanges(item, "history", () => null);
}

function mainChanges(item: RepoEventItem): TreeChange[] {
  const after = fileOnBranch(item.after, "history");
  return itemChanges(item, "main", (version) =>
    after !== null && after.version === version ? { branch: "history", path: after.path } : null,
  );
}

function itemChanges(
  item: RepoEventItem,
  branch: Branch,
  elsewhere: (version: number) => { branch: Branch; path: string } | null,
): TreeChange[] {
  if (!isBranchChangedBy(item, branch)) return [];
  const before = fileOnBranch(item.before, branch);
  const after = fileOnBranch(item.after, branch);
  const changes: TreeChange[] = [];
  if (before !== null && before.path !== after?.path) changes.push({ kind: "remove", path: before.path });
  if (after === null) return changes;
  const unmoved = before !== null && before.version === after.version;
  changes.push({
    kind: "file",
    path: after.path,
    sopId: item.sopId,
    version: after.version,
    contentHash: after.version === item.version ? item.contentHash : (item.inForce?.contentHash ?? null),
    from: unmoved ? { branch, path: before.path } : elsewhere(after.version),
  });
  // assets are never removed, so a restored SOP still has its assets
  if (!unmoved && after.version === item.version) {
    for (const name of item.assets ?? []) {
      changes.push({ kind: "asset", path: assetPath(name), sha256: name.split(".")[0] ?? name });
    }
  }
  return changes;
}
