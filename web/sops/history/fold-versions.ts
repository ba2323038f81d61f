/** Versions that pauses made: those of one hour are one row. Nothing is changed or lost by it. */
import type { Output } from "../../api.ts";

type Row = Output<"sops", "versions">[number];

export interface VersionGroup {
  /** The newest. */
  row: Row;
  /** Made by pauses in the hour before it, newest first. */
  folded: Row[];
}

const hourMs = 3_600_000;

/** @param rows newest first @param wasPublished versions that readers had: they keep a row of their own */
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
