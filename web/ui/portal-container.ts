import { createContext, use } from "react";

const PortalContainer = createContext<HTMLElement | null>(null);

/** The page's content, or the window over it that contains the children. */
export const PortalContainerProvider = PortalContainer.Provider;

/**
 * Where menus and tooltips are put in the document. At its end, where Radix would put them, they are outside all landmarks:
 * passed over by who moves along those, and hidden from assistive technology while a window is open.
 */
export function usePortalContainer(): HTMLElement | null {
  return use(PortalContainer);
}
