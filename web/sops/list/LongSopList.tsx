import { lazyPart } from "../../ui/lazy-part.tsx";
import { RowSkeletons, SopList, type SopListProps } from "./SopList.tsx";

const VirtualSops = lazyPart(() => import("./VirtualSops.tsx").then((module) => module.VirtualSops), RowSkeletons);
// The code loads together with the first page of rows, not after it.
void VirtualSops.preload();

/** The list of SOPs that grows while the user scrolls. */
export function LongSopList(props: Omit<SopListProps, "limit" | "as">) {
  return <SopList {...props} as={VirtualSops} />;
}
