import { X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { IconButton } from "./IconButton.tsx";
import { Sheet } from "./Sheet.tsx";
import { useMediaQuery } from "./use-media-query.ts";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.drawer", {
  close: "Close",
});

interface DrawerProps {
  open: boolean;
  onClose(): void;
  title: string;
  id?: string;
  children: ReactNode;
}

/** A panel of 320 px beside the page, which stays usable. On narrow screens it is over the page. Escape closes both. */
export function Drawer({ open, onClose, title, id, children }: DrawerProps) {
  const fits = useMediaQuery("(min-width: 64rem)");
  if (!fits) {
    return (
      <Sheet open={open} onOpenChange={(next) => !next && onClose()} title={title} side="bottom">
        <h2 className="flex min-h-14 items-center px-4 text-sm font-semibold">{title}</h2>
        <div data-drawer className="overflow-y-auto px-4 pb-6">
          {children}
        </div>
      </Sheet>
    );
  }
  return open ? (
    <DockedDrawer onClose={onClose} title={title} id={id}>
      {children}
    </DockedDrawer>
  ) : null;
}

function DockedDrawer({ onClose, title, id, children }: Omit<DrawerProps, "open" | "id"> & { id: string | undefined }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    if (!panel.current?.contains(before)) panel.current?.focus();
    return () => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape comes from the controls within
    <aside
      ref={panel}
      id={id}
      tabIndex={-1}
      aria-label={title}
      data-print="hide"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      className="w-80 shrink-0 border-l border-line bg-bg p-4 outline-none"
    >
      <header className="mb-2 flex items-center justify-between">
        <h2 className="text-sm font-semibold">{title}</h2>
        <IconButton label={texts.close} size="sm" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      {children}
    </aside>
  );
}
