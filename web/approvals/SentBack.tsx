import { MessageSquareWarning } from "lucide-react";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { dateTimeText } from "../ui/time.ts";
import { timelineEvents } from "./timeline-events.ts";
import { sentenceOf, commentOf } from "./timeline-event-style.ts";

/** What a reviewer wants of a draft that came back, where it is mended; until it is submitted again. */
export function SentBack({ sop }: { sop: Sop }) {
  const requests = useRead("approvals", "list", { query: { sopId: sop.id } });
  const [newest] = requests.data ?? [];
  if (sop.status !== "draft" || newest?.status !== "rejected") return null;
  const wish = timelineEvents(newest).find(({ kind }) => kind === "changes_requested" || kind === "rejected");
  const words = wish && commentOf(wish);
  if (!wish || !words) return null;
  return (
    <details
      open
      data-print="hide"
      className="rounded-md border border-warning/35 bg-warning-soft px-3.5 py-2.5 text-sm"
    >
      <summary className="cursor-pointer font-semibold">
        <MessageSquareWarning aria-hidden className="mr-2 ml-1 inline size-4 align-[-0.2em] text-warning" />
        {sentenceOf(wish)}
        <span className="ml-2 text-xs font-normal text-muted">
          {`Version ${newest.version}, `}
          {wish.at && <time dateTime={wish.at}>{dateTimeText(wish.at)}</time>}
        </span>
      </summary>
      <blockquote className="mt-1.5 max-h-40 overflow-y-auto break-words whitespace-pre-wrap">{`“${words}”`}</blockquote>
    </details>
  );
}
