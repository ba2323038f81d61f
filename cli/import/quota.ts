/**
 * Compares an import with the number of SOPs and bytes that the company can still store, as the server reports them.
 */
import type { ImportAnswer } from "#core/sops/import-schema.ts";
import { exit, type CommandFailure } from "../exit.ts";
import type { PlanRow } from "./plan.ts";

export interface Quota {
  /** The number of SOPs that the company can still store. */
  free: number;
  /** The number of SOPs that the import creates. */
  needed: number;
  /** Bytes of images and PDFs; absent if the server doesn't report them. */
  bytes?: StorageQuota | undefined;
}

export type StorageQuota = NonNullable<ImportAnswer["quota"]["bytes"]>;

/** Returns the company's free quota beside what the documents in these rows need; null if the server was not asked. */
export function importQuotaOf(
  rows: Iterable<Pick<PlanRow, "outcome">>,
  { free, bytes }: { free: number | null; bytes: StorageQuota | undefined },
): Quota | null {
  if (free === null) return null;
  const needed = [...rows].filter(({ outcome }) => outcome === "create").length;
  return { free, needed, ...(bytes !== undefined && { bytes }) };
}

/** @returns the failure if the import doesn't fit the quota; null if it fits */
export function quotaFailure({ free, needed, bytes }: Quota): CommandFailure | null {
  if (bytes !== undefined && bytes.needed > bytes.limit - bytes.used) return bytesFailure(bytes);
  if (needed <= free) return null;
  return {
    exit: exit.invalid,
    problem: {
      code: "limit_reached",
      message: `this import would create ${needed} SOPs and the company has room for ${free}: nothing was written`,
      hint: "import fewer, archive or delete some, or ask for a higher limit",
    },
  };
}

function bytesFailure({ used, needed, limit }: StorageQuota): CommandFailure {
  const mebibytesText = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  return {
    exit: exit.invalid,
    problem: {
      code: "limit_reached",
      message: `the images and PDFs need ${mebibytesText(needed)} and the company stores ${mebibytesText(used)} of ${mebibytesText(limit)}: nothing was written`,
      hint: "import fewer, or ask for a higher limit",
    },
  };
}
