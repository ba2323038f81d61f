import { useEffect, useRef, type ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { texts } from "./texts.ts";

/** Sets the title of the browser tab. */
function usePageTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
}

/** Sets the tab's title, and focuses a screen's heading after a route change. For screens without a `PageHeading`. */
export function useHeadingFocus(title: string) {
  usePageTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  const location = useLocation();
  // The key is "default" on the first page of a visit. There the skip link comes first, so the heading doesn't take the
  // focus.
  const isFirst = location.key === "default";
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per screen, not when its filters change the key
  }, [location.pathname]);
  return heading;
}

interface PageHeadingProps {
  title: string;
  subtitle?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
}

export function PageHeading({ title, subtitle, badge, actions }: PageHeadingProps) {
  const heading = useHeadingFocus(title);
  return (
    <div>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        {/* A long title wraps instead of pushing the actions below it. */}
        <div className="flex min-h-control min-w-0 grow basis-32 flex-wrap items-center gap-3">
          <h1 ref={heading} tabIndex={-1} className="text-t6 font-semibold tracking-tight">
            {title}
          </h1>
          {badge}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {subtitle && <p className="mt-1 text-muted">{subtitle}</p>}
    </div>
  );
}
