/**
 * A list of records as a table, or with two lines per record on narrow screens. It also shows loading, errors, an empty
 * list and further pages.
 */
import { clsx } from "clsx";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { Alert } from "./Alert.tsx";
import { Button } from "./Button.tsx";
import { ErrorState } from "./EmptyState.tsx";
import { Skeleton } from "./Skeleton.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.data-table", {
  couldntLoadMoreTry: "Couldn't load more. Try again.",
  loadMore: "Load more",
});

export interface Column<Row> {
  header: string;
  cell(row: Row): ReactNode;
  /**
   * True if this column names the record. It comes first in the table, and on narrow screens it is a line of its own.
   */
  isName?: boolean;
  /** True if this column has the row's menu. Its header is only for screen readers. */
  isMenu?: boolean;
  /** True if narrow screens show the header before the value, as in "Last Login Never". */
  isLabelled?: boolean;
  /** `end` for numbers, which are aligned at the end of their column. */
  align?: "end";
}

/** The result of `usePages`, or any complete list. */
export interface TableRows<Row> {
  rows: readonly Row[];
  /** True if the first rows are still loading. */
  isPending: boolean;
  /** True if the rows shown are about to be replaced. */
  isStale?: boolean;
  hasFailed: boolean;
  retry(): void;
  more?: { hasMore: boolean; isLoading: boolean; hasFailed: boolean; load(): void };
}

export interface DataTableTexts {
  /** The name of the table for screen readers. */
  label: string;
  loading: string;
  failed: string;
  /** Returns the count as text, such as '3 users'. */
  count(rows: number, hasMore: boolean): string;
}

interface DataTableProps<Row> {
  list: TableRows<Row>;
  columns: readonly Column<Row>[];
  texts: DataTableTexts;
  /** Filters above the rows, on the same line as the count. Without filters, the count is only for screen readers. */
  filters?: ReactNode;
  /** Shown instead of the table if there are no rows. */
  empty: ReactNode;
  /** True to fade a record, because it is no longer in use. */
  isMuted?: (row: Row) => boolean;
}

export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { list, columns, texts, filters, empty, isMuted } = props;
  const region = useFocusKeeper(list.rows);
  const busy = list.isPending || list.isStale === true;
  const hasMore = list.more?.hasMore ?? false;
  const isEmpty = !list.isPending && !list.hasFailed && list.rows.length === 0;
  return (
    <section ref={region} tabIndex={-1} aria-label={texts.label} aria-busy={busy} className="@container outline-none">
      <div className={clsx(filters && "mb-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1")}>
        {filters}
        {/* If there are no rows, the empty state says so, and the count is only for screen readers. */}
        <output className={clsx("text-t2 text-muted tabular-nums", (isEmpty || !filters) && "sr-only")}>
          {busy ? texts.loading : list.hasFailed ? "" : texts.count(list.rows.length, hasMore)}
        </output>
      </div>
      {list.hasFailed ? (
        <ErrorState title={texts.failed} onRetry={list.retry} />
      ) : isEmpty ? (
        empty
      ) : (
        <table aria-label={texts.label} className="block w-full border-separate border-spacing-0 @3xl:table">
          <TableHead columns={columns} />
          <tbody className={clsx("block @3xl:table-row-group", list.isStale && "opacity-60 transition-opacity")}>
            {list.isPending
              ? [1, 2, 3, 4, 5, 6].map((line) => <SkeletonRow key={line} columns={columns} />)
              : list.rows.map((row) => <TableRow key={row.id} row={row} columns={columns} isMuted={isMuted?.(row)} />)}
          </tbody>
        </table>
      )}
      {list.more && <LoadMoreRows more={list.more} />}
    </section>
  );
}

/** The header. It stays below the top bar while the rows scroll. */
function TableHead<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <thead className="sr-only @3xl:not-sr-only @3xl:table-header-group">
      <tr>
        {columns.map(({ header, isMenu, align }) => (
          <th
            key={header}
            scope="col"
            className={clsx(
              "sticky top-top z-10 border-b border-line bg-bg px-2 py-1.5 text-t2 font-medium whitespace-nowrap text-muted first:pl-0 last:pr-0",
              align === "end" ? "text-right" : "text-left",
            )}
          >
            {isMenu ? <span className="sr-only">{header}</span> : header}
          </th>
        ))}
      </tr>
    </thead>
  );
}

const rowStyle =
  "relative flex min-h-row flex-wrap content-center items-baseline gap-x-3 border-b border-line py-2 @3xl:table-row @3xl:border-0";
/** The background of a row is wider than the table, so that the text is aligned with the heading above. */
const cellStyle =
  "wrap-anywhere @3xl:wrap-break-word @3xl:table-cell @3xl:h-row @3xl:border-b @3xl:border-line @3xl:px-2 @3xl:py-1 @3xl:align-middle @3xl:first:pl-0 @3xl:last:pr-0";
const hoverStyle =
  "@3xl:in-[tr:hover]:bg-sunken @3xl:in-[tr:hover]:first:shadow-[-0.5rem_0_0_var(--sunken)] @3xl:in-[tr:hover]:last:shadow-[0.5rem_0_0_var(--sunken)]";
const nameStyle = "min-w-0 basis-full text-left font-normal in-[tr:has([data-menu])]:pr-12 @3xl:w-[28%] @3xl:pr-2!";
const menuStyle = "absolute top-1 -right-2 z-1 @3xl:relative @3xl:inset-auto @3xl:w-px @3xl:text-right";
/** On narrow screens a value marked `data-none` is hidden, because it only says that there is none. */
const valueStyle = "text-t2 text-muted @max-3xl:has-[[data-none]]:hidden";
const labelled = "before:mr-1 before:content-[attr(data-label)] @3xl:before:content-none";

interface TableRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  isMuted: boolean | undefined;
}

function TableRow<Row>({ row, columns, isMuted }: TableRowProps<Row>) {
  return (
    <tr className={clsx(rowStyle, isMuted && "text-muted")}>
      {columns.map(({ header, cell, isName, isMenu, isLabelled, align }) =>
        isName ? (
          <th key={header} scope="row" className={clsx(cellStyle, hoverStyle, nameStyle)}>
            {cell(row)}
          </th>
        ) : (
          <td
            key={header}
            {...(isMenu ? { "data-menu": "" } : isLabelled && { "data-label": header })}
            className={clsx(
              cellStyle,
              hoverStyle,
              isMenu ? menuStyle : valueStyle,
              isLabelled && labelled,
              align === "end" && "tabular-nums @3xl:text-right",
            )}
          >
            {cell(row)}
          </td>
        ),
      )}
    </tr>
  );
}

function SkeletonRow<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tr aria-hidden data-testid="row-skeleton" className={rowStyle}>
      {columns.map(({ header, isName, isMenu }) => (
        <td key={header} className={clsx(cellStyle, isName && "basis-full", isMenu && "hidden @3xl:table-cell")}>
          {!isMenu && <Skeleton className={isName ? "my-0.5 h-4 w-40" : "my-0.5 h-4 w-20"} />}
        </td>
      ))}
    </tr>
  );
}

function LoadMoreRows({ more }: { more: NonNullable<TableRows<unknown>["more"]> }) {
  return (
    <>
      {more.hasFailed && (
        <div className="mt-4">
          <Alert tone="destructive" live>
            {texts.couldntLoadMoreTry}
          </Alert>
        </div>
      )}
      {more.hasMore && (
        <div className="mt-5 text-center">
          <Button busy={more.isLoading} onClick={more.load}>
            {texts.loadMore}
          </Button>
        </div>
      )}
    </>
  );
}

/** Moves the focus to the list if a focused row disappears (deleted or filtered out), so that it isn't lost. */
function useFocusKeeper(rows: readonly unknown[]) {
  const region = useRef<HTMLElement>(null);
  const held = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const list = region.current;
    const rememberFocus = (event: FocusEvent) => {
      held.current = event.target instanceof Element ? event.target : null;
    };
    const forgetFocus = (event: FocusEvent) => {
      if (event.relatedTarget) held.current = null;
    };
    list?.addEventListener("focusin", rememberFocus);
    list?.addEventListener("focusout", forgetFocus);
    return () => {
      list?.removeEventListener("focusin", rememberFocus);
      list?.removeEventListener("focusout", forgetFocus);
    };
  }, []);
  useLayoutEffect(() => {
    if (!held.current || held.current.isConnected) return;
    held.current = null;
    if (document.activeElement === document.body) region.current?.focus();
  }, [rows]);
  return region;
}
