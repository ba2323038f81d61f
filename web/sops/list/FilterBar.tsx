import { lazyPart } from "../../ui/lazy-part.tsx";
import type { FilterBarProps } from "./FilterMenus.tsx";

/** The filters, whose code loads later. The placeholder has the same height, so that nothing moves. */
const FilterMenus = lazyPart(
  () => import("./FilterMenus.tsx").then((module) => module.FilterMenus),
  ({ also }) => <div className={also ? "h-16 max-sm:h-23" : "h-16 max-sm:h-11"} />,
);

/** @prop isEmpty whether there is nothing to filter; the bar then keeps its height */
export function FilterBar({ isEmpty = false, ...props }: FilterBarProps & { isEmpty?: boolean }) {
  return (
    <div className={isEmpty ? "invisible" : "contents"}>
      <FilterMenus {...props} />
    </div>
  );
}
