import { lazyPart } from "../../ui/lazy-part.tsx";
import type { FilterBarProps } from "./FilterMenus.tsx";

/** Status as tabs, the other filters and the order as menus. As high before its code is there, so that nothing moves. */
const FilterMenus = lazyPart(
  () => import("./FilterMenus.tsx").then((module) => module.FilterMenus),
  ({ also }) => <div className={also ? "h-16 max-sm:h-23" : "h-16 max-sm:h-11"} />,
);

/** @prop isEmpty there is nothing to filter: it keeps its place, so that nothing moves */
export function FilterBar({ isEmpty = false, ...props }: FilterBarProps & { isEmpty?: boolean }) {
  return (
    <div className={isEmpty ? "invisible" : "contents"}>
      <FilterMenus {...props} />
    </div>
  );
}
