import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import { Link } from "react-router-dom";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.breadcrumb", {
  breadcrumb: "Breadcrumb",
});

/** `[{label: "All SOPs", to: "/sops"}, {label: "SOP-0001"}]`: the item without an address is the current page. */
export function Breadcrumb({ items }: { items: readonly { label: string; to?: string }[] }) {
  return (
    <nav aria-label={texts.breadcrumb} data-print="hide">
      <ol className="flex flex-wrap items-center gap-1 text-sm text-muted">
        {items.map((item, index) => (
          <Fragment key={item.label}>
            {index > 0 && (
              <li aria-hidden>
                <ChevronRight className="size-3.5" />
              </li>
            )}
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
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}
