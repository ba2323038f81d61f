import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import { Link } from "react-router-dom";

/** `[{label: "Dashboard", to: "/"}, {label: "All SOPs"}]`: the last one is where we are. */
export function Breadcrumb({ items }: { items: readonly { label: string; to?: string }[] }) {
  return (
    <nav aria-label="Breadcrumb" data-print="hide">
      <ol className="flex flex-wrap items-center gap-1 text-sm text-muted">
        {items.map((item) => (
          <Fragment key={item.label}>
            <li className="min-w-0">
              {item.to ? (
                <Link to={item.to} className="inline-flex min-h-6 items-center hover:text-text hover:underline">
                  {item.label}
                </Link>
              ) : (
                <span aria-current="page" className="text-text">
                  {item.label}
                </span>
              )}
            </li>
            {item.to && (
              <li aria-hidden>
                <ChevronRight className="size-3.5" />
              </li>
            )}
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}
