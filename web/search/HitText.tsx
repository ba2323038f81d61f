/** A hit in a list of options: the SOP and the matching step. */
import type { ReactNode } from "react";
import type { SearchHit } from "#core/search/schema.ts";
import { shownStatus } from "#core/sops/statuses.ts";
import { StatusBadge } from "../ui/StatusBadge.tsx";
import { texts } from "./texts.ts";

export function HitText({ sop, title, snippet, step, missing }: SearchHit) {
  return (
    <>
      <span className="flex items-start gap-2">
        <span dir="auto" className="min-w-0 flex-1 font-medium">
          <HighlightedText {...title} />
        </span>
        {shownStatus(sop) !== "published" && <StatusBadge sop={sop} />}
        <span className="font-mono text-xs leading-5 whitespace-nowrap text-muted">{sop.number}</span>
      </span>
      <span className="line-clamp-2 text-muted">
        {step && <StepPlacePrefix step={step} isHeading={step.heading === snippet.text} />}
        <bdi>
          <HighlightedText {...snippet} />
        </bdi>
      </span>
      {missing.length > 0 && (
        <span className="text-xs text-muted">
          {texts.missing} {missing.join(", ")}
        </span>
      )}
    </>
  );
}

/** The step's place, such as "Step 7 · Under Cleaning: ". A heading that is the hit itself isn't repeated. */
function StepPlacePrefix({ step, isHeading }: { step: NonNullable<SearchHit["step"]>; isHeading: boolean }) {
  const heading = isHeading ? null : step.heading;
  if (step.number === null && !heading) return null;
  return (
    <>
      {step.number !== null && <strong className="font-medium text-text">{texts.step({ number: step.number })}</strong>}
      {step.number !== null && heading && " · "}
      {heading && (
        <>
          {texts.under} <em>{heading}</em>
        </>
      )}
      {": "}
    </>
  );
}

interface HighlightedTextProps {
  text: string;
  /** Start and end of each match in UTF-16 units, sorted and without overlaps. */
  ranges: readonly (readonly number[])[];
}

/** A text with its matching words highlighted. */
export function HighlightedText({ text, ranges }: HighlightedTextProps) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [start = 0, end = 0] of ranges) {
    parts.push(
      text.slice(at, start),
      <mark key={start} className="rounded-sm bg-mark text-text">
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return [...parts, text.slice(at)];
}
