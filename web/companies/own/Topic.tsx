import { useId, type ReactNode } from "react";

interface TopicProps {
  title: string;
  description?: string;
  children: ReactNode;
}

/** The frame of a page of the company's settings: its title, description and content. */
export function Topic({ title, description, children }: TopicProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <h2 id={heading} className="text-xl font-semibold tracking-tight">
        {title}
      </h2>
      {description && <p className="text-sm text-muted">{description}</p>}
      {children}
    </section>
  );
}
