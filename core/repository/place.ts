import type { Place } from "./event.ts";
import { sopPath } from "./names.ts";

/** What decides where an SOP's file stands; no text, no names. */
export interface StructuralSop {
  number: number;
  slug: string;
  categorySlug: string | null;
  /** Of the head. */
  isTemplate: boolean;
  /** Of the version in force, where it differs from the head's: an edit leaves `main` alone. */
  inForceIsTemplate?: boolean;
  /** Of the published version, where it is not the head's: a draft in another category leaves `main` alone. */
  inForceCategorySlug?: string | null;
  status: string;
  version: number;
  publishedVersion: number | null;
  /** The version `archive/` on `main` shows: what was in force when it was archived, or null. */
  lastInForce: number | null;
  deletedAt: string | null;
}

/** What stands on each branch for this SOP: `main` shows what is in force, `archive/` there only what once was. */
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
