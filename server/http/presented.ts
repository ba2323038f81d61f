import type { z } from "zod";

/** An answer in the shape of its schema. A mismatch is the server's fault, so the client must not get a 4xx. */
export function presented<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const shown = schema.safeParse(answer);
  if (shown.success) return shown.data;
  throw new Error("an answer does not fit its schema", { cause: shown.error });
}
