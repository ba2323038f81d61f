import type { z } from "zod";

/** An answer as its schema names it. What does not fit is the server's fault and must not be told as the asker's. */
export function presented<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const shown = schema.safeParse(answer);
  if (shown.success) return shown.data;
  throw new Error("an answer does not fit its schema", { cause: shown.error });
}
