import { Badge } from "../ui/Badge.tsx";
import type { Row } from "./run-import.ts";
import { outcomes, texts } from "./texts.ts";

const order = Object.keys(outcomes);

/** Changes first, then trouble; what is unchanged comes last. */
export function PlanList({ rows }: { rows: readonly Row[] }) {
  const sorted = rows.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  return (
    <ul className="grid gap-3 text-sm">
      {sorted.map(({ path, outcome, title, number, reason, notes }) => (
        <li key={path} className="flex flex-wrap items-center gap-2">
          <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>
          <span className="min-w-0 flex-1 break-words">
            {number && `${number} `}
            {title ?? path}
            {title && <span className="block text-xs text-muted">{path}</span>}
            {reason && <span className="block text-xs text-muted">{reason}</span>}
          </span>
          {notes > 0 && <span className="text-xs text-muted">{texts.noted(notes)}</span>}
        </li>
      ))}
    </ul>
  );
}
