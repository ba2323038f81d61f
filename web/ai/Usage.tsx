/** Shows the tokens spent and left, as the server counted them. */
import { catalog } from "#core/language/catalog.ts";
import { numberText } from "#core/language/formats.ts";
import { useRead, type Output } from "../api.ts";
import { Skeleton } from "../ui/Skeleton.tsx";
import { dateTimeText } from "../ui/time.ts";

const texts = catalog("ai.usage", {
  title: "Usage",
  today: "Today, with the server's key",
  personal: "This month, with your own key",
  company: "Your company this month, with the server's key",
  tokens: "{tokens, plural, one {# token} other {# tokens}}",
  tokensOf: "{tokens, number} of {budget, number} tokens",
  calls: "{calls, plural, one {# call} other {# calls}}",
  until: "Resets on {moment}.",
  estimate: "About {amount} this month: an estimate by your server's price list.",
  unpriced: "Excludes {tokens, number} tokens with no known price.",
});

type TokenUsage = Output<"ai", "usage">["own"];

/** The user's own usage. Shows nothing if the numbers can't be loaded, because AI works without them. */
export function OwnAiUsage() {
  const { data, isError } = useRead("ai", "usage", {});
  // The placeholder has the height of the content, so that the fields below don't move while in use.
  if (!data) return isError ? null : <Skeleton className="h-28" />;
  const { key, own, personal, estimate } = data;
  return (
    <section aria-label={texts.title} className="grid gap-3 rounded-md border border-line p-4">
      <h3 className="font-medium">{texts.title}</h3>
      {(key !== "personal" || own.calls > 0) && <UsageLine label={texts.today} spent={own} />}
      {(key === "personal" || personal.calls > 0) && (
        <UsageLine label={texts.personal} spent={{ ...personal, budget: null, until: null }} />
      )}
      {estimate && (
        <p>
          {texts.estimate({ amount: moneyText(estimate) })}
          {estimate.unpriced > 0 && ` ${texts.unpriced({ tokens: estimate.unpriced })}`}
        </p>
      )}
    </section>
  );
}

/** The company's usage; the server reports it only to users who set the budget. */
export function CompanyAiUsage() {
  const { data } = useRead("ai", "usage", {});
  return data?.company ? <UsageLine label={texts.company} spent={data.company} /> : null;
}

function UsageLine({ label, spent }: { label: string; spent: Omit<TokenUsage, "until"> & { until: string | null } }) {
  const { tokens, calls, budget, until } = spent;
  const share = budget ? Math.min(1, tokens / budget) : null;
  return (
    <div>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span>{label}</span>
        <span className="tabular-nums">
          {budget === null ? texts.tokens({ tokens }) : texts.tokensOf({ tokens, budget })}
          <span className="text-muted">{` · ${texts.calls({ calls })}`}</span>
        </span>
      </p>
      {share !== null && (
        <div aria-hidden className="mt-1 h-2 overflow-hidden rounded-full bg-sunken">
          <div
            className={share < 0.9 ? "h-full bg-primary" : "h-full bg-warning"}
            // React sets this style by script, which the content security policy allows, unlike a style in HTML.
            style={{ width: `${share * 100}%` }}
          />
        </div>
      )}
      {budget !== null && until !== null && (
        <p className="text-xs text-muted">{texts.until({ moment: dateTimeText(until) })}</p>
      )}
    </div>
  );
}

const moneyText = ({ amount, currency }: { amount: number; currency: string }) =>
  numberText(amount, { style: "currency", currency, maximumSignificantDigits: 3 });
