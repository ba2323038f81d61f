import { createContext, use } from "react";

const PortalContainer = createContext<HTMLElement | null>(null);

/** Sets the container: the page's content, or the dialog that contains the children. */
export const PortalContainerProvider = PortalContainer.Provider;

/**
 * Returns the element in which menus and tooltips are rendered. Radix would render them at the end of the document,
 * outside all landmarks, where an open dialog would hide them from screen readers.
 */
export function usePortalContainer(): HTMLElement | null {
  return use(PortalContainer);
}
