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

/** One card in the middle: what people see before they are signed in. The focus starts in its first field. */
export function PublicPage({ title, subtitle, footer, children }: PublicPageProps) {
  const heading = useHeadingFocus(title);
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.querySelector<HTMLElement>("input:not(:disabled, [type=hidden])")?.focus(), []);
  // follows the system, as the signed-in screens do
  useTheme();
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-sm content-center gap-6 px-4 py-10">
      <Logo />
      <div ref={card} className="rounded-lg border border-line bg-surface p-6 shadow-card">
        <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold tracking-tight">
          {title}
        </h1>
        {subtitle && <p className="mt-1 text-muted">{subtitle}</p>}
        {children && <div className="mt-5">{children}</div>}
      </div>
      {footer && <p className="text-center text-muted">{footer}</p>}
    </main>
  );
}
