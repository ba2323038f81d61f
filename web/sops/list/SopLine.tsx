import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { memo, use, type MouseEvent } from "react";
import { Link } from "react-router-dom";
import type { SopSortField } from "#core/sops/sorts.ts";
import { shownStatus } from "#core/sops/statuses.ts";
import { CardFavoriteButton } from "../../favorites/FavoriteButton.tsx";
import { Avatar } from "../../ui/Avatar.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { statuses, StatusMark, StatusShape, statusNames } from "../../ui/StatusBadge.tsx";
import { nextVersionText, texts } from "../texts.ts";
import { PersonName } from "./PersonName.tsx";
import { bulkTexts } from "./bulk-texts.ts";
import { CategoryName, hasNextVersion, SopFlags, UpdatedAt, type SopProps } from "./SopFacts.tsx";
import type { SopFilters } from "./use-sop-filters.ts";
import { WithinCategory } from "./within-category.ts";

/**
 * Columns by the width of the list and not of the page. A narrow list hides the category first, then the owner, to keep
 * room for the title.
 */
const columns = [
  "@min-[40rem]:grid-cols-[1.75rem_4.5rem_minmax(0,1fr)_8rem_6.5rem]",
  "@min-[48rem]:grid-cols-[1.75rem_4.5rem_minmax(0,1fr)_8rem_8.5rem_6.5rem]",
  "@min-[56rem]:grid-cols-[1.75rem_4.5rem_minmax(0,1fr)_8rem_8.5rem_8rem_6.5rem]",
];
/** Columns on the page of a category without inner categories. */
const columnsOfOneCategory = [columns[0], "@min-[56rem]:grid-cols-[1.75rem_4.5rem_minmax(0,1fr)_8rem_8rem_6.5rem]"];
const categoryColumn = "@min-[40rem]:@max-[48rem]:hidden";
const ownerColumn = "@max-[56rem]:hidden";
/** The style of the first cell, which has the star or the checkbox. */
const atStart =
  "relative z-10 @max-[40rem]:col-start-2 @max-[40rem]:row-span-2 @max-[40rem]:row-start-1 @max-[40rem]:justify-self-end";

export interface SortControl {
  /** The chosen order; empty for the list's default order by time. */
  sort: SopFilters["sort"];
  onSort(sort: SopFilters["sort"]): void;
}

/** The headers of the columns. Each sorts by its column, and a second click reverses the order. */
export function SopLineHeads({ sorting }: { sorting?: SortControl | undefined }) {
  const withCategory = use(WithinCategory)?.hasInner !== false;
  const columnHead = (field: SopSortField, label: string, className?: string) =>
    sorting ? (
      <SortHead field={field} label={label} className={className} {...sorting} />
    ) : (
      <span aria-hidden className={className}>
        {label}
      </span>
    );
  return (
    <div
      className={clsx(
        "hidden min-h-8 items-center gap-2 border-b border-line px-2 text-t2 font-medium text-muted @min-[40rem]:grid",
        withCategory ? columns : columnsOfOneCategory,
      )}
    >
      <span />
      {columnHead("number", texts.number)}
      {columnHead("title", texts.title)}
      {columnHead("status", texts.status)}
      {withCategory && columnHead("category", texts.category, categoryColumn)}
      {columnHead("owner", texts.owner, ownerColumn)}
      {columnHead("updated", texts.updated)}
    </div>
  );
}

interface SortHeadProps extends SortControl {
  field: SopSortField;
  label: string;
  className: string | undefined;
}

function SortHead({ field, label, className, sort, onSort }: SortHeadProps) {
  const by = sort || "-updated";
  const isUp = by === field;
  const isDown = by === `-${field}`;
  const next = field === "updated" ? (isDown ? field : "") : isUp ? (`-${field}` as const) : field;
  return (
    <button
      type="button"
      aria-label={texts.sortBy({ column: label })}
      aria-pressed={isUp || isDown}
      onClick={() => onSort(next)}
      className={clsx(
        "flex min-h-8 items-center gap-1 justify-self-start rounded-sm hover:text-text aria-pressed:text-text pointer-coarse:min-h-11 [&_svg]:size-3.5",
        className,
      )}
    >
      {label}
      {isUp && <ArrowUp aria-hidden />}
      {isDown && <ArrowDown aria-hidden />}
    </button>
  );
}

/** The published status. People who can see the next version also get a small mark for its status. */
export function RowStatus({ sop }: Pick<SopProps, "sop">) {
  const status = shownStatus(sop);
  if (!hasNextVersion(sop)) return <StatusMark status={status} />;
  const next = nextVersionText(statusNames[status]);
  return (
    <span className="inline-flex items-center gap-2">
      <StatusMark status="published" />
      <span title={next} className={clsx("relative grid size-4 place-items-center", statuses[status].color)}>
        <StatusShape status={status} />
        <span className="sr-only">{next}</span>
      </span>
    </span>
  );
}

/** One SOP as a row: 36 px high for a mouse, two lines for touch. */
export const SopLine = memo(function SopLine({ sop, color, onToggleFavorite, isChosen, onChoose }: SopProps) {
  const withCategory = use(WithinCategory)?.hasInner !== false;
  const person = sop.owner ?? sop.author;
  const chooseByClick = (event: MouseEvent) => {
    // Opening a link by Enter fires a click without a mouse, which must not select.
    const isClick = event.detail > 0 && !event.ctrlKey && !event.metaKey;
    if (!onChoose || !isClick || (isChosen === undefined && !event.shiftKey)) return;
    event.preventDefault();
    onChoose(sop.id, event.shiftKey);
  };
  return (
    <article
      className={clsx(
        "relative isolate grid min-h-13 grid-cols-[minmax(0,1fr)_2.75rem] items-center gap-x-2 border-b border-line py-2 text-t2 text-muted focus-within:bg-sunken hover:bg-sunken @min-[40rem]:min-h-9 @min-[40rem]:px-2 @min-[40rem]:py-0 pointer-coarse:@min-[40rem]:min-h-13",
        isChosen && "bg-primary-soft!",
        withCategory ? columns : columnsOfOneCategory,
      )}
    >
      {isChosen === undefined ? (
        <CardFavoriteButton sop={sop} onToggle={onToggleFavorite} className={atStart} />
      ) : (
        <label className={clsx("grid size-7 place-items-center pointer-coarse:size-11", atStart)}>
          <input
            type="checkbox"
            className="size-4 accent-primary"
            aria-label={bulkTexts.one({ title: sop.title })}
            checked={isChosen}
            onChange={({ nativeEvent }) =>
              onChoose?.(sop.id, nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)
            }
          />
        </label>
      )}
      <span className="truncate font-mono text-xs @max-[40rem]:hidden">{sop.number}</span>
      <span className="flex min-w-0 items-center gap-2 @max-[40rem]:col-start-1 @max-[40rem]:row-start-1">
        <h3 className="min-w-0 text-sm font-medium text-text">
          <Link
            to={`/sop/${sop.id}`}
            dir="auto"
            data-sop={sop.id}
            onClick={chooseByClick}
            // Shift+click selects rows and not their text.
            onMouseDown={(event) => onChoose && event.shiftKey && event.preventDefault()}
            className="block truncate -outline-offset-2 after:absolute after:inset-0"
          >
            {sop.title}
          </Link>
        </h3>
        <SopFlags sop={sop} short />
      </span>
      <span className="flex min-w-0 items-center gap-x-3 @max-[40rem]:col-start-1 @min-[40rem]:contents">
        <RowStatus sop={sop} />
        <CategoryName sop={sop} color={color} className={categoryColumn} />
        <span className={clsx("flex min-w-0 items-center gap-1.5", ownerColumn)}>
          <Avatar size="sm" initials={person?.initials ?? texts.unknownInitials} />
          <PersonName person={person} />
        </span>
        <span className="truncate @max-[40rem]:hidden">
          <UpdatedAt iso={sop.updatedAt} short />
        </span>
      </span>
    </article>
  );
});

/** A placeholder with the height of a row. */
export function SopLineSkeleton() {
  return (
    <div
      data-testid="sop-skeleton"
      className="flex min-h-13 items-center border-b border-line @min-[40rem]:min-h-9 @min-[40rem]:px-2"
    >
      <Skeleton className="h-4 w-full" />
    </div>
  );
}
