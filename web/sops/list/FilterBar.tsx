import { lazyPart } from "../../ui/lazy-part.tsx";
import type { FilterBarProps } from "./FilterMenus.tsx";

const FilterMenus = lazyPart(
  () => import("./FilterMenus.tsx").then((module) => module.FilterMenus),
  ({ also }) => <div className={also ? "h-16 max-sm:h-23" : "h-16 max-sm:h-11"} />,
);

/** Status as tabs, the other filters and the order as menus. As high before its code is there, so that nothing moves. */
export function FilterBar(props: FilterBarProps) {
  return <FilterMenus {...props} />;
}
