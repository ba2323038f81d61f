/** Folds automatic saves: those of one hour become one row. The versions themselves stay unchanged. */
import type { Output } from "../../api.ts";

type Row = Output<"sops", "versions">[number];

export interface VersionGroup {
  /** The newest version of the group. */
  row: Row;
  /** Automatic saves in the hour before it, newest first. */
  folded: Row[];
}

const hourMs = 3_600_000;

/**
 * @param rows versions, newest first
 * @param wasPublished whether a version was published; such a version keeps its own row
 */
export function foldVersions(rows: readonly Row[], wasPublished: (version: number) => boolean): VersionGroup[] {
  const groups: VersionGroup[] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group && follows(group.row, row) && !wasPublished(row.version)) group.folded.push(row);
    else groups.push({ row, folded: [] });
  }
  return groups;
}

function follows(newest: Row, row: Row): boolean {
  const areOfPauses = newest.automatic === true && row.automatic === true;
  const isPlain = !row.isCurrent && !row.isInForce && row.approvedBy.length === 0;
  const isSameHour = Date.parse(newest.createdAt) - Date.parse(row.createdAt) <= hourMs;
  return areOfPauses && isPlain && isSameHour && newest.changedBy.id === row.changedBy.id;
}
