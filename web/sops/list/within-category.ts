import { createContext } from "react";

/**
 * The category whose page shows the list, so that rows don't repeat the category's name; null on other pages.
 * `hasInner` says whether the category has inner categories.
 */
export const WithinCategory = createContext<{ id: string; hasInner: boolean } | null>(null);
