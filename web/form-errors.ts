/** The messages of form fields whose schema has none. */
import type { z } from "zod";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("form-errors", {
  tooLong: "Use at most {most, number} characters",
  other: "Check this value",
});

/** Options of zod for every form. zod's own messages are about types and only in English. */
export const formErrors = {
  error: (issue: z.core.$ZodRawIssue): string =>
    issue.code === "too_big" && issue.origin === "string"
      ? texts.tooLong({ most: Number(issue.maximum) })
      : texts.other,
};
