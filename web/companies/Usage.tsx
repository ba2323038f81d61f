import { catalog } from "#core/language/catalog.ts";

const texts = catalog("companies.usage", {
  full: "full",
  share: "{used, number} of {of, number}",
});

interface UsageProps {
  used: number;
  of: number;
  /** 'users' */
  what: string;
  /** `what` is written out where no heading says it. */
  named?: boolean;
}

/** How much of a quota is taken. */
export function Usage({ used, of, what, named = false }: UsageProps) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      {texts.share({ used, of })}
      <span className={named ? undefined : "sr-only"}> {what}</span>
      {used >= of && <span className="ml-1.5 font-medium text-warning">{texts.full}</span>}
    </span>
  );
}
