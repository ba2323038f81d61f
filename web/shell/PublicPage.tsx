import { useEffect, useRef, type ReactNode } from "react";
import { Logo } from "./Logo.tsx";
import { useHeadingFocus } from "./PageHeading.tsx";
import { useTheme } from "./theme.ts";

interface PublicPageProps {
  title: string;
  subtitle?: ReactNode;
  footer?: ReactNode;
  children?: ReactNode;
}

/** A page for people who aren't signed in: one centered column. The focus starts in its first field. */
export function PublicPage({ title, subtitle, footer, children }: PublicPageProps) {
  const heading = useHeadingFocus(title);
  const column = useRef<HTMLDivElement>(null);
  useEffect(() => column.current?.querySelector<HTMLElement>("input:not(:disabled, [type=hidden])")?.focus(), []);
  // The theme follows the system here as on signed-in screens.
  useTheme();
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-sm content-center gap-8 px-4 py-10">
      <Logo />
      <div ref={column}>
        <h1 ref={heading} tabIndex={-1} className="text-t6 font-semibold tracking-tight">
          {title}
        </h1>
        {subtitle && <p className="mt-1 text-muted">{subtitle}</p>}
        {children && <div className="mt-6">{children}</div>}
      </div>
      {footer && <p className="text-muted">{footer}</p>}
    </main>
  );
}
