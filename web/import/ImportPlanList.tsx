import { Link } from "react-router-dom";
import { Badge } from "../ui/Badge.tsx";
import type { ImportRow } from "./run-import.ts";
import { outcomeTexts, outcomeTones, texts } from "./texts.ts";

const outcomeOrder = Object.keys(outcomeTones);

/** Lists new and changed SOPs first, then conflicts, and unchanged documents last. */
export function ImportPlanList({ rows, isDone }: { rows: readonly ImportRow[]; isDone: boolean }) {
  const sorted = rows.toSorted((a, b) => outcomeOrder.indexOf(a.outcome) - outcomeOrder.indexOf(b.outcome));
  return (
    <ul className="divide-y divide-line border-y border-line text-sm">
      {sorted.map(({ path, outcome, id, title, number, reason, notes, placement }) => (
        <li key={path} className="flex min-h-row flex-wrap items-center gap-2 py-1.5">
          <span className="w-20">
            <Badge tone={outcomeTones[outcome]}>{outcomeTexts[outcome]}</Badge>
          </span>
          <span className="min-w-0 flex-1 break-words">
            {number && `${number} `}
            {isDone && id ? (
              <Link to={`/sop/${id}`} className="font-medium text-primary hover:underline">
                {title ?? path}
              </Link>
            ) : (
              (title ?? path)
            )}
            {title && <span className="block text-xs text-muted">{path}</span>}
            {placement?.folders?.length ? (
              <span className="block text-xs text-muted">
                {texts.category({ folders: placement.folders.join(" › ") })}
              </span>
            ) : null}
            {placement?.tags?.length ? (
              <span className="block text-xs text-muted">{texts.tags({ tags: placement.tags.join(", ") })}</span>
            ) : null}
            {reason && <span className="block text-xs text-muted">{reason}</span>}
          </span>
          {notes.length > 0 && (
            <details className="text-xs text-muted open:basis-full">
              <summary className="min-h-6 content-center">{texts.noted({ count: notes.length })}</summary>
              {notes.map((note) => (
                <p key={note} className="mt-1">
                  {note}
                </p>
              ))}
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}
