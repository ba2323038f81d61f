import { expect, test } from "vitest";
import { endOfPeriod } from "./periods.ts";
import { estimatePrice, parsePrices } from "./prices.ts";

test("a price list names a currency and what each model costs for a million tokens", () => {
  const prices = parsePrices(" EUR small=1.5/6  big/one:2=10/40.25 ");
  expect(prices?.currency).toBe("EUR");
  expect([...(prices?.models ?? [])]).toEqual([
    ["small", { input: 1.5, output: 6 }],
    ["big/one:2", { input: 10, output: 40.25 }],
  ]);
});

test.each(["", "EUR", "small=1/2", "eur small=1/2", "EUR small", "EUR small=1", "EUR small=1/x", "EUR small=-1/2"])(
  "%j is not a price list",
  (text) => expect(parsePrices(text)).toBeNull(),
);

test("an estimate uses the model that answered, else the requested one, and names models without a price", () => {
  const prices = parsePrices("EUR small=2/10 small-2026=1/5");
  if (!prices) throw new Error("no price list");
  const call = (model: string, askedModel: string) => ({
    model,
    askedModel,
    promptTokens: 500_000,
    completionTokens: 100_000,
  });
  expect(estimatePrice(prices, [])).toEqual({ amount: 0, currency: "EUR", unpriced: 0 });
  expect(estimatePrice(prices, [call("small-2026", "small"), call("small-2025", "small"), call("x", "y")])).toEqual({
    amount: 1 + 2,
    currency: "EUR",
    unpriced: 600_000,
  });
});

test("days and months of budgets end in UTC, also at the ends of years and in leap years", () => {
  expect(endOfPeriod("day", "2026-12-31T23:59:59.999Z")).toBe("2027-01-01T00:00:00.000Z");
  expect(endOfPeriod("month", "2026-12-31T23:59:59.999Z")).toBe("2027-01-01T00:00:00.000Z");
  expect(endOfPeriod("day", "2028-02-28T00:00:00.000Z")).toBe("2028-02-29T00:00:00.000Z");
  expect(endOfPeriod("month", "2026-01-31T12:00:00.000Z")).toBe("2026-02-01T00:00:00.000Z");
});
