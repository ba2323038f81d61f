/**
 * `bench field`: what people would act on. `field:dates`: each field for a date in 40 time zones and 12 shapes of input.
 * `field:building`: 300 people behind one address sign in while a stranger guesses there.
 * `field:deploy`: the program that started or checked each file of `deploy/`.
 */
import type { Figure } from "./figure.ts";
import { fromTests } from "./proof.ts";

const parts: Record<string, () => Promise<readonly Figure[]>> = {
  dates: () => fromTests("test/field/dates.test.ts"),
  exports: () => fromTests("test/cli/export-published.test.ts"),
  building: () => fromTests("test/field/building.test.ts"),
  processes: () => fromTests("test/field/processes.test.ts"),
  damage: () => fromTests("test/field/damage.test.ts"),
  balancer: () => fromTests("test/shipped-balancer.test.ts"),
  deploy: () => fromTests("test/deploy"),
};

export async function* run(wanted: readonly string[] = []): AsyncGenerator<Figure> {
  for (const [part, figures] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(part)) yield* await figures();
  }
}
