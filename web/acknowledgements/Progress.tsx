import type { Output } from "../api.ts";
import { Badge } from "../ui/Badge.tsx";

export type Confirmations = NonNullable<Output<"acknowledgements", "get">["matrix"]>;

/** How many of those who are asked have confirmed. */
export function Progress({ counts: { asked: total, confirmed, overdue } }: Pick<Confirmations, "counts">) {
  const share = total === 0 ? 0 : (confirmed / total) * 100;
  return (
    <div className="mt-1 grid max-w-md gap-1.5">
      <p className="flex flex-wrap items-center gap-2 tabular-nums">
        {`${confirmed} of ${total} confirmed`}
        {overdue > 0 && <Badge tone="destructive">{`${overdue} overdue`}</Badge>}
      </p>
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-sunken">
        <div className="h-full rounded-full bg-success" style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}
