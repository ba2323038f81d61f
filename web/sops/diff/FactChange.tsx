import type { SopDiff } from "#core/diff/schema.ts";
import { diffTexts, factLabel, factText } from "./diff-texts.ts";

/** Shows a detail of an SOP that differs, such as its owner. */
export function FactChange({ field, from, to }: SopDiff["facts"][number]) {
  return (
    <div className="border-s-3 border-primary ps-3">
      <p className="text-t2 text-muted">{diffTexts.factChanged({ field: factLabel(field) })}</p>
      <p className="break-words">
        <del>
          <span className="sr-only">{diffTexts.startRemoved}</span>
          {factText(from)}
          <span className="sr-only">{diffTexts.end}</span>
        </del>{" "}
        <ins>
          <span className="sr-only">{diffTexts.startAdded}</span>
          {factText(to)}
          <span className="sr-only">{diffTexts.end}</span>
        </ins>
      </p>
    </div>
  );
}
