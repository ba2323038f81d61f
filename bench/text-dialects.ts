/** `bench text:dialects`: what becomes of the markup of other tools. */
import { measure, suites } from "../test/dialects/suites.ts";
import type { Figure } from "./figure.ts";

export function dialects(): Figure[] {
  return suites.flatMap((suite) => {
    const { constructs, unnamed } = measure(suite);
    const count = (outcome: string) => constructs.filter((one) => one.outcome === outcome).length;
    const figure = (what: string, value: number, goal?: string): Figure => ({
      name: `text:dialects ${suite}: ${what}`,
      value,
      unit: what.startsWith("words") ? "words" : "constructs",
      ...(goal !== undefined && { goal }),
    });
    return [
      figure("constructs", constructs.length, "≥ 40"),
      figure("mapped", count("mapped")),
      figure("kept", count("kept")),
      figure("reported", count("reported")),
      figure("words lost that the report doesn't name", unnamed.length, "0"),
    ];
  });
}
