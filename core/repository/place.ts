import type { Place } from "./event.ts";
import { sopPath } from "./names.ts";

/** The facts that decide the path of an SOP's file; no text, no names. */
export interface StructuralSop {
  /** Its number: `SOP-0042`. */
  label: string;
  slug: string;
  categorySlug: string | null;
  /** Of the latest version. */
  isTemplate: boolean;
  status: string;
  version: number;
  /** What `main` has. Its place follows its own category and kind: a draft in another category leaves `main` alone. */
  published: { version: number; isTemplate: boolean; categorySlug: string | null } | null;
  /** The version in `archive/` on `main`: the one published at the time of archiving, or null. */
  lastPublished: number | null;
  deletedAt: string | null;
}

/** The SOP's file on each branch. `main` has the published version; its `archive/` has versions that were published. */
export function placeOf(sop: StructuralSop): Place {
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
