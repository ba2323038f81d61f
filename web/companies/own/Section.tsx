import { useId, type ReactNode } from "react";
import { Card } from "../../ui/Card.tsx";

interface SectionProps {
  title: string;
  description?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** One sheet of the company page. */
export function Section({ title, description, actions, children }: SectionProps) {
  const heading = useId();
  return (
    <Card className="min-w-0 p-4 sm:p-6">
      <section aria-labelledby={heading} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h2 id={heading} className="text-lg font-semibold">
              {title}
            </h2>
            {description && <p className="mt-0.5 max-w-prose text-sm text-muted">{description}</p>}
          </div>
          {actions}
        </div>
        {children}
      </section>
    </Card>
  );
}
