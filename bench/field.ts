/** `bench field`: what people would act on. `field:dates`: each field for a date in 40 time zones and 12 shapes of input. */
import type { Figure } from "./figure.ts";
import { fromTests } from "./proof.ts";

const parts: Record<string, () => Promise<readonly Figure[]>> = {
  dates: () => fromTests("test/field/dates.test.ts"),
  exports: () => fromTests("test/cli/export-published.test.ts"),
  balancer: () => fromTests("test/shipped-balancer.test.ts"),
};

export async function* run(wanted: readonly string[] = []): AsyncGenerator<Figure> {
  for (const [part, figures] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(part)) yield* await figures();
  }
}
