import { createContext } from "react";

/**
 * The category whose page shows the list, so that rows don't repeat its name. `hasInner` says whether it has inner
 * categories.
 */
export const WithinCategory = createContext<{ id: string; hasInner: boolean } | null>(null);
