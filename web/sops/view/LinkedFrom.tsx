/**
 * The SOPs that link to this one: a collapsed list below the text, and a warning before this SOP is unpublished,
 * archived or deleted.
 */
import { ChevronRight } from "lucide-react";
import { Link } from "react-router-dom";
import { catalog } from "#core/language/catalog.ts";
import type { SopLinksAnswer } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";

const texts = catalog("sops.view.linked-from", {
  heading: "Linked from",
  count: "{total, plural, one {# SOP} other {# SOPs}}",
  draft: "in a draft",
  warning: "{total, plural, one {# SOP links to it:} other {# SOPs link to it:}}",
  more: "and {count, number} more",
});

const linksShownInWarning = 5;

export function LinkedFrom({ sopId }: { sopId: string }) {
  const { data: links } = useRead("sops", "links", { params: { id: sopId } });
  if (!links || links.total === 0) return null;
  return (
    <details className="group border-t border-line print:hidden">
      <summary className="flex min-h-11 items-center gap-2 font-medium">
        <ChevronRight aria-hidden className="size-4 group-open:rotate-90" />
        <span>
          {texts.heading} <span className="font-normal text-muted">{texts.count({ total: links.total })}</span>
        </span>
      </summary>
      <LinkedSopRows links={links} rows={links.data} />
    </details>
  );
}

/** Shows nothing while loading and if there are no links. */
export function LinkWarning({ sopId }: { sopId: string }) {
  const { data: links } = useRead("sops", "links", { params: { id: sopId } });
  if (!links || links.total === 0) return null;
  return (
    <div className="text-sm">
      <p className="font-medium">{texts.warning({ total: links.total })}</p>
      <LinkedSopRows links={links} rows={links.data.slice(0, linksShownInWarning)} />
    </div>
  );
}

function LinkedSopRows({ links, rows }: { links: SopLinksAnswer; rows: SopLinksAnswer["data"] }) {
  return (
    <ul className="grid pb-2">
      {rows.map(({ id, number, title, draftOnly }) => (
        <li key={id} className="flex min-h-9 flex-wrap items-center gap-x-2 pointer-coarse:min-h-11">
          <span className="text-muted tabular-nums">{number}</span>
          <Link
            dir="auto"
            to={`/sop/${id}`}
            className="inline-flex min-h-6 items-center text-primary underline underline-offset-2 pointer-coarse:min-h-11"
          >
            {title}
          </Link>
          {draftOnly && <span className="text-muted">{texts.draft}</span>}
        </li>
      ))}
      {links.total > rows.length && <li className="text-muted">{texts.more({ count: links.total - rows.length })}</li>}
    </ul>
  );
}
