import { catalog } from "#core/language/catalog.ts";

const texts = catalog("companies.usage", {
  full: "full",
  share: "{used, number} of {of, number}",
});

interface QuotaUsageProps {
  used: number;
  of: number;
  /** The counted things, such as 'users'. */
  what: string;
  /** True to show `what` as text, because no heading says it. */
  named?: boolean;
}

/** Shows how much of a quota is used. */
export function QuotaUsage({ used, of, what, named = false }: QuotaUsageProps) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      {texts.share({ used, of })}
      <span className={named ? undefined : "sr-only"}> {what}</span>
      {used >= of && <span className="ml-1.5 font-medium text-warning">{texts.full}</span>}
    </span>
  );
}
