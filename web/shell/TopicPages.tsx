/** Settings with a page per topic. On a narrow screen the address without a topic shows the list of topics. */
import { clsx } from "clsx";
import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { PageHeading } from "./PageHeading.tsx";

interface TopicPagesProps {
  title: string;
  subtitle?: string;
  /** The name of the list of topics for screen readers. */
  label: string;
  /** The address without a topic. */
  base: string;
  topics: readonly { id: string; title: string }[];
  current: string;
  /** True if the address names a topic. */
  isNamed: boolean;
  note?: ReactNode;
  children: ReactNode;
}

export function TopicPages({
  title,
  subtitle,
  label,
  base,
  topics,
  current,
  isNamed,
  note,
  children,
}: TopicPagesProps) {
  return (
    <div className="@container grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-5">
      <div className={clsx(isNamed && "@max-xl:sr-only")}>
        <PageHeading title={title} {...(subtitle && { subtitle })} />
      </div>
      {note}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-12 @xl:grid-cols-[10rem_minmax(0,40rem)]">
        <nav aria-label={label} className={clsx("-ml-2 @xl:sticky @xl:top-20", isNamed && "@max-xl:hidden")}>
          <ul className="grid grid-cols-[minmax(0,1fr)]">
            {topics.map((topic) => (
              <li key={topic.id}>
                <Link
                  to={`${base}/${topic.id}`}
                  aria-current={topic.id === current ? "page" : undefined}
                  className={clsx(
                    "flex min-h-8 items-center rounded-md px-2 hover:bg-sunken @max-xl:min-h-13 pointer-coarse:min-h-11",
                    topic.id === current ? "@xl:bg-sunken @xl:font-medium" : "@xl:text-muted",
                  )}
                >
                  {topic.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className={clsx("min-w-0", !isNamed && "@max-xl:hidden")}>
          <Link to={base} className="-ml-1 flex min-h-11 items-center gap-1 text-muted hover:text-text @xl:hidden">
            <ChevronLeft aria-hidden className="size-4" />
            {title}
          </Link>
          <div className="@container">{children}</div>
        </div>
      </div>
    </div>
  );
}
