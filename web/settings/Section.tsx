import type { ReactNode } from "react";
import { Card } from "../ui/Card.tsx";

interface SectionProps {
  /** Its place in the address: `/settings#tokens`. */
  id: string;
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ id, title, description, actions, children }: SectionProps) {
  return (
    <Card>
      <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-20 p-5 sm:p-6">
        <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 sm:flex-nowrap">
          <div className="min-w-0 max-w-prose">
            <h2 id={`${id}-title`} className="text-lg font-semibold">
              {title}
            </h2>
            {description && <p className="mt-0.5 text-muted">{description}</p>}
          </div>
          {actions}
        </header>
        {children}
      </section>
    </Card>
  );
}
