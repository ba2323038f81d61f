import { clsx } from "clsx";
import { memo } from "react";
import { Link } from "react-router-dom";
import { CardFavoriteButton } from "../../favorites/FavoriteButton.tsx";
import { Avatar } from "../../ui/Avatar.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StatusMark } from "../../ui/StatusBadge.tsx";
import { texts } from "../texts.ts";
import { CategoryName, SopFlags, UpdatedAt, type SopProps } from "./SopFacts.tsx";

const columns = "md:grid-cols-[1.75rem_4.5rem_minmax(0,1fr)_8rem_8.5rem_8rem_6.5rem]";

/** The heads of the rows' columns. Rows are links with their own words, so only sighted users need these. */
export function SopLineHeads() {
  return (
    <div
      aria-hidden
      className={clsx(
        "hidden min-h-8 items-center gap-2 border-b border-line px-2 text-[0.8125rem] font-medium text-muted md:grid",
        columns,
      )}
    >
      <span />
      <span>{texts.number}</span>
      <span>{texts.title}</span>
      <span>{texts.status}</span>
      <span>{texts.category}</span>
      <span>{texts.owner}</span>
      <span>{texts.updated}</span>
    </div>
  );
}

/** One SOP as a row: 36 px for a mouse, two lines for touch. */
export const SopLine = memo(function SopLine({ sop, color, onToggleFavorite }: SopProps) {
  const person = sop.owner ?? sop.author;
  return (
    <article
      className={clsx(
        "relative isolate grid min-h-13 grid-cols-[minmax(0,1fr)_2.75rem] items-center gap-x-2 border-b border-line px-2 py-2 text-[0.8125rem] text-muted focus-within:bg-sunken hover:bg-sunken md:min-h-9 md:py-0 pointer-coarse:md:min-h-13",
        columns,
      )}
    >
      <CardFavoriteButton
        sop={sop}
        onToggle={onToggleFavorite}
        className="relative max-md:col-start-2 max-md:row-span-2 max-md:row-start-1 max-md:justify-self-end"
      />
      <span className="truncate font-mono text-xs max-md:hidden">{sop.number}</span>
      <span className="flex min-w-0 items-center gap-2 max-md:col-start-1 max-md:row-start-1">
        <h3 className="truncate text-sm font-medium text-text">
          <Link to={`/sop/${sop.id}`} data-sop={sop.id} className="-outline-offset-2 after:absolute after:inset-0">
            {sop.title}
          </Link>
        </h3>
        <SopFlags sop={sop} short />
      </span>
      <span className="flex min-w-0 items-center gap-x-3 max-md:col-start-1 md:contents">
        <StatusMark status={sop.status} />
        <CategoryName sop={sop} color={color} />
        <span className="flex min-w-0 items-center gap-1.5 max-md:hidden">
          <Avatar size="sm" initials={person?.initials ?? texts.unknownInitials} />
          <span className="truncate">{person?.name ?? texts.unknownAuthor}</span>
        </span>
        <span className="truncate max-md:hidden">
          <UpdatedAt iso={sop.updatedAt} short />
        </span>
      </span>
    </article>
  );
});

/** As tall as a row. */
export function SopLineSkeleton() {
  return (
    <div data-testid="sop-skeleton" className="flex min-h-13 items-center border-b border-line px-2 md:min-h-9">
      <Skeleton className="h-4 w-full" />
    </div>
  );
}
