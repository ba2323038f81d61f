/** Parts that all screens of the steps share. */
import type { RefObject } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { shownStatus } from "#core/sops/statuses.ts";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { texts } from "./steps-texts.ts";

export type StepsHeading = RefObject<HTMLHeadingElement | null>;

export const footStyle = "run-foot sticky bottom-0 border-t border-line grid grid-cols-[1fr_2fr] gap-2 bg-bg px-4";
export const thumbStyle = "h-14! text-[1.0625rem]";

export const isPublished = (sop: Sop) => shownStatus(sop) === "published";

/** Shows the version of the steps, and a badge if it isn't the one to work by. */
export function VersionLine({ sop }: { sop: Sop }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
      {!isPublished(sop) && <StatusBadge sop={sop} />}
      <span>{texts.version({ version: sop.version })}</span>
    </p>
  );
}
