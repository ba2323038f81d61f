import type { Output } from "../api.ts";
import { Badge } from "../ui/Badge.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("acknowledgements.progress", {
  ofConfirmed: "{confirmed, number} of {total, number} confirmed",
  overdue: "{overdue, number} overdue",
});

/** The read confirmations of an SOP for a user who can ask others to read: the request, its counts, and the people. */
export type Confirmations = NonNullable<Output<"acknowledgements", "get">["matrix"]>;

/** Shows how many of the people asked to read an SOP have confirmed, and how many are overdue. */
export function ConfirmationProgress({ counts: { asked: total, confirmed, overdue } }: Pick<Confirmations, "counts">) {
  const share = total === 0 ? 0 : (confirmed / total) * 100;
  return (
    <div className="mt-1 grid max-w-md gap-1.5">
      <p className="flex flex-wrap items-center gap-2 tabular-nums">
        {texts.ofConfirmed({ confirmed, total })}
        {overdue > 0 && <Badge tone="destructive">{texts.overdue({ overdue })}</Badge>}
      </p>
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-sunken">
        <div className="h-full rounded-full bg-success" style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}
