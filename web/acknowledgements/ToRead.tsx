/** What I am asked to read: shown only when there is something. */
import { BookOpenCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { useRead } from "../api.ts";
import { Badge } from "../ui/Badge.tsx";
import { Card } from "../ui/Card.tsx";
import { dayText, toReadTexts as texts } from "./texts.ts";

const shownAtOnce = 5;

export function ToRead() {
  const { data } = useRead("acknowledgements", "mine", {});
  if (!data || data.length === 0) return null;
  const [shown, rest] = [data.slice(0, shownAtOnce), data.slice(shownAtOnce)];
  return (
    <section aria-labelledby="to-read-heading">
      <Card className="border-l-4 border-l-primary px-4 py-3">
        <h2 id="to-read-heading" className="flex items-center gap-2 font-semibold">
          <BookOpenCheck aria-hidden className="size-4 text-primary" />
          {texts.heading}
          <Badge tone="primary">{data.length}</Badge>
        </h2>
        <List items={shown} />
        {rest.length > 0 && (
          <details>
            <summary className="text-sm text-primary">{`${rest.length} more`}</summary>
            <List items={rest} />
          </details>
        )}
      </Card>
    </section>
  );
}

type Item = NonNullable<ReturnType<typeof useRead<"acknowledgements", "mine">>["data"]>[number];

function List({ items }: { items: readonly Item[] }) {
  return (
    <ul className="divide-y divide-line">
      {items.map(({ sop, version, dueBy, overdue }) => (
        <li key={sop.id} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-2">
          <Link to={`/sop/${sop.id}`} className="min-w-0 flex-1 basis-56 font-medium wrap-anywhere hover:underline">
            <span className="mr-2 font-mono text-xs text-muted">{sop.number}</span>
            {sop.title}
          </Link>
          <span className="text-sm text-muted">{`Version ${version}`}</span>
          {dueBy !== null && <span className="text-sm text-muted">{`due ${dayText(dueBy)}`}</span>}
          {overdue && <Badge tone="destructive">{texts.overdue}</Badge>}
        </li>
      ))}
    </ul>
  );
}
