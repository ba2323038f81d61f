import type { SopFilePlace } from "./event.ts";
import { sopPath } from "./names.ts";

/** The facts that decide the path of an SOP's file; no text, no names. */
export interface SopPlaceFacts {
  /** The number, such as `SOP-0042`. */
  label: string;
  slug: string;
  categorySlug: string | null;
  /** True if the latest version is a template. */
  isTemplate: boolean;
  status: string;
  version: number;
  /**
   * The version on `main`. Its own category and kind decide its path, so a draft in another category doesn't change
   * `main`.
   */
  published: { version: number; isTemplate: boolean; categorySlug: string | null } | null;
  /** The version in `archive/` on `main`: the one that was published when the SOP was archived; null if none was. */
  lastPublished: number | null;
  deletedAt: string | null;
}

/** The SOP's file on each branch. `main` has the published version; its `archive/` has versions that were published. */
export function repositoryPlaceOf(sop: SopPlaceFacts): SopFilePlace {
  if (sop.deletedAt !== null) return { path: null, version: sop.version, mainPath: null, mainVersion: null };
  const archived = sop.status === "archived";
  const mainVersion = archived ? sop.lastPublished : (sop.published?.version ?? null);
  const mainPath = sopPath({ ...sop, ...sop.published, archived });
  return {
    path: sopPath({ ...sop, archived }),
    version: sop.version,
    mainPath: mainVersion === null ? null : mainPath,
    mainVersion,
  };
}
