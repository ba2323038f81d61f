import type { ReactNode } from "react";

interface SettingsSectionProps {
  id: string;
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ id, title, description, actions, children }: SettingsSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-20">
      <header className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-b border-line pb-2 @md:flex-nowrap">
        <div className="min-w-0 max-w-prose">
          <h2 id={`${id}-title`} className="text-t5 font-semibold">
            {title}
          </h2>
          {description && <p className="text-sm text-muted">{description}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}
