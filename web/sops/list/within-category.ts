import { createContext } from "react";

/** The category whose page a list is on: its rows don't repeat that name. `hasInner`: others are inside it. */
export const WithinCategory = createContext<{ id: string; hasInner: boolean } | null>(null);
