import type { Place } from "./event.ts";
import { sopPath } from "./names.ts";

/** The facts that decide the path of an SOP's file; no text, no names. */
export interface StructuralSop {
  number: number;
  slug: string;
  categorySlug: string | null;
  /** Of the latest version. */
  isTemplate: boolean;
  /** Of the published version, if it differs from the latest: an edit leaves `main` alone. */
  inForceIsTemplate?: boolean;
  /** Of the published version, if it differs from the latest: a draft in another category leaves `main` alone. */
  inForceCategorySlug?: string | null;
  status: string;
  version: number;
  publishedVersion: number | null;
  /** The version in `archive/` on `main`: the one published at the time of archiving, or null. */
  lastInForce: number | null;
  deletedAt: string | null;
}

/** The SOP's file on each branch. `main` has the published version; its `archive/` has versions that were published. */
export function placeOf(sop: StructuralSop): Place {
  if (sop.deletedAt !== null) return { path: null, version: sop.version, mainPath: null, mainVersion: null };
  const archived = sop.status === "archived";
  const mainVersion = archived ? sop.lastInForce : sop.publishedVersion;
  const categorySlug = sop.inForceCategorySlug === undefined ? sop.categorySlug : sop.inForceCategorySlug;
  const mainPath = sopPath({ ...sop, archived, categorySlug, isTemplate: sop.inForceIsTemplate ?? sop.isTemplate });
  return {
    path: sopPath({ ...sop, archived }),
    version: sop.version,
    mainPath: mainVersion === null ? null : mainPath,
    mainVersion,
  };
}
