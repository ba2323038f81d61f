import { memo, useMemo, useRef, type ComponentType, type CSSProperties, type ReactNode, type Ref } from "react";
import type { ListedRow } from "#core/sops/list-schema.ts";
import { errorMessageOf, useRead } from "../../api.ts";
import { useListKeys } from "../../approvals/use-list-keys.ts";
import { damageTexts } from "../../dashboard/damage-texts.ts";
import { useToggleFavorite } from "../../favorites/use-favorite.ts";
import { useListView, type ListView } from "../../shell/list-controls.ts";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { ErrorState } from "../../ui/EmptyState.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { SopLine, SopLineHeads, SopLineSkeleton, type SortControl } from "./SopLine.tsx";
import { texts } from "../texts.ts";
import type { SopListQuery } from "./use-sop-filters.ts";
import type { RowSelection } from "./use-selection.ts";
import { pageSize, useSopList } from "./use-sop-list.ts";
import { useRestoredPosition, useListPosition } from "./use-list-position.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";

const Empty = lazyPart(() => import("./SopListEmpty.tsx").then((module) => module.SopListEmpty));
const Notes = lazyPart(() => import("../../search/SearchNotes.tsx").then((module) => module.SearchNotes));
const SopCard = memo(lazyPart(() => import("./SopCard.tsx").then((module) => module.SopCard), SopCardSkeleton));

export interface SopListProps {
  query: SopListQuery;
  /** The name of the list for screen readers. */
  title: string;
  /** Filters for the list. With them, the title is visible above. */
  tools?: ReactNode;
  isFiltered?: boolean;
  onClearFilters?: () => void;
  /** Shown instead of 'No SOPs found' if there are no filters. */
  empty?: ReactNode;
  /** Shown instead of 'No matches' if the filters exclude everything. */
  emptyFiltered?: ReactNode;
  limit?: number;
  /** Makes the column headers sort. */
  sorting?: SortControl;
  /** True if `as` renders the SOPs in its own way, neither as rows nor as cards. */
  isSearch?: boolean;
  as?: ComponentType<SopsProps>;
}

/** The list for all screens: placeholders, errors, empty states, cards or rows, and further pages. */
export function SopList({
  query,
  title,
  tools,
  isFiltered = false,
  limit,
  sorting,
  isSearch = false,
  as: Sops = AllSops,
  ...rest
}: SopListProps) {
  const list = useSopList(query, limit ?? pageSize);
  const [chosen] = useListView();
  const view = isSearch ? "list" : chosen;
  const sops = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data]);
  const first = list.data?.pages[0];
  // A list with a limit loads more only when the user asks for it.
  const isEndless = limit === undefined && list.hasNextPage && !list.isFetching && !list.isError;
  return (
    <section aria-label={title} aria-busy={list.isPending} className="@container">
      <h2 className={tools ? "border-b border-line pb-2 text-sm font-semibold" : "sr-only"}>{title}</h2>
      {tools && <div className="grid grid-cols-[minmax(0,1fr)] gap-3 py-3">{tools}</div>}
      <output className="sr-only">{announcedCount(list.status, sops.length, list.hasNextPage)}</output>
      {limit === undefined && first?.unreadable !== undefined && (
        <Alert tone="destructive" title={damageTexts.unreadable({ count: first.unreadable })}>
          {damageTexts.ask}
        </Alert>
      )}
      {list.isPending ? (
        <SopListSkeletons view={view} sorting={sorting} withHeads={!isSearch} />
      ) : list.isError && !list.data ? (
        <ErrorState
          title={texts.failed}
          detail={errorMessageOf(list.error, texts.fetchFailed)}
          onRetry={() => void list.refetch()}
        />
      ) : sops.length === 0 ? (
        <Empty isFiltered={isFiltered} {...rest} />
      ) : (
        <>
          {first && (first.showingFor ?? first.didYouMean ?? first.mostWords) !== undefined && <Notes page={first} />}
          {view === "list" && !isSearch && <SopLineHeads sorting={sorting} />}
          <Sops
            key={view + JSON.stringify(query)}
            sops={sops}
            view={view}
            hasMore={list.hasNextPage}
            onEnd={() => void (isEndless && list.fetchNextPage())}
          />
          {list.isFetchNextPageError && (
            <div className="mt-4">
              <Alert tone="destructive" live>
                {texts.loadMoreFailed}
              </Alert>
            </div>
          )}
          {list.hasNextPage && (
            <div className="mt-6 text-center">
              <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {texts.loadMore}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

/** Returns the count to announce to screen readers. Empty after an error, which has its own alert. */
function announcedCount(status: "pending" | "error" | "success", count: number, hasMore: boolean): string {
  if (status === "pending") return texts.loading;
  return status === "error" && count === 0 ? "" : sopCountText(count, hasMore);
}

function sopCountText(count: number, hasMore: boolean): string {
  return `${hasMore ? "First " : ""}${count} ${count === 1 ? "SOP" : "SOPs"}`;
}

const gridStyle = "grid gap-4 sm:grid-cols-2 xl:grid-cols-3";

interface SkeletonsProps {
  view: ListView;
  sorting: SortControl | undefined;
  withHeads: boolean;
}

function SopListSkeletons({ view, sorting, withHeads }: SkeletonsProps) {
  return (
    <>
      {view === "list" && withHeads && <SopLineHeads sorting={sorting} />}
      <RowSkeletons view={view} />
    </>
  );
}

export function RowSkeletons({ view }: { view: ListView }) {
  const Skeleton = view === "grid" ? SopCardSkeleton : SopLineSkeleton;
  return (
    <div aria-hidden className={view === "grid" ? gridStyle : undefined}>
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <Skeleton key={card} />
      ))}
    </div>
  );
}

export interface SopsProps {
  sops: readonly ListedRow[];
  view: ListView;
  hasMore: boolean;
  onEnd(): void;
}

function AllSops({ sops, view, hasMore }: SopsProps) {
  const list = useRef<HTMLUListElement>(null);
  const { focusedId, setFocusedId } = useRestoredPosition(list, useListPosition<null>(view), () => null);
  useListKeys(
    sops.map(({ id }) => id),
    focusedId,
    setFocusedId,
  );
  return <SopItems list={list} sops={sops} from={0} to={sops.length} view={view} hasMore={hasMore} />;
}

interface SopItemsProps extends Omit<SopsProps, "onEnd"> {
  list: Ref<HTMLUListElement>;
  /** The range of rendered items: `[from, to)`. */
  from: number;
  to: number;
  style?: CSSProperties;
  itemRef?(at: number): Ref<HTMLLIElement> | undefined;
  rowOf?(at: number): number;
  selection?: RowSelection | null;
}

export function SopItems({ list, sops, from, to, view, hasMore, style, itemRef, rowOf, selection }: SopItemsProps) {
  const categories = useRead("categories", "list", {});
  const colors = new Map(categories.data?.map((category) => [category.id, category.color]));
  const onToggleFavorite = useToggleFavorite();
  const Item = view === "grid" ? SopCard : SopLine;
  return (
    <ul ref={list} style={style} className={view === "grid" ? gridStyle : undefined}>
      {sops.slice(from, to).map((sop, at) => (
        <li
          key={sop.id}
          ref={itemRef?.(from + at)}
          data-index={rowOf?.(from + at)}
          aria-posinset={from + at + 1}
          aria-setsize={hasMore ? -1 : sops.length}
          className="min-w-0"
        >
          <Item
            sop={sop}
            color={colors.get(sop.categoryId ?? "")}
            onToggleFavorite={onToggleFavorite}
            isChosen={selection?.isOn ? selection.has(sop.id) : undefined}
            onChoose={selection?.toggle}
          />
        </li>
      ))}
    </ul>
  );
}

/** A placeholder as tall as a card, so that nothing moves when the SOPs arrive. */
function SopCardSkeleton() {
  return (
    <div data-testid="sop-skeleton" className="flex h-60 flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <Skeleton className="h-5 w-24" />
      <Skeleton className="h-5 w-4/5" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="mt-auto h-4 w-1/2" />
      <Skeleton className="h-6 w-full" />
    </div>
  );
}
