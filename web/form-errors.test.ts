// @vitest-environment node
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { CompanyForm } from "#core/companies/schema.ts";
import { UserForm } from "#core/users/schema.ts";
import { formErrors } from "./form-errors.ts";

const messageOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value, formErrors).error?.issues[0]?.message;

it("names the limit of a long text, keeps the sentences of schemas, and shows none of zod", () => {
  const long = "x".repeat(5_000);
  expect(messageOf(CompanyForm.shape.description, long)).toBe("Use at most 2,000 characters");
  expect(messageOf(UserForm.shape.password, long)).toBe("Password is too long");
  expect(messageOf(UserForm.shape.role, "pirate")).toBe("Check this value");
});

it("is used by every form", () => {
  const calls = globSync("**/*.{ts,tsx}", { cwd: import.meta.dirname }).flatMap((file) =>
    [...readFileSync(path.join(import.meta.dirname, file), "utf8").matchAll(/zodResolver\([^)]*\)/g)].map(
      ([call]) => `${file}: ${call}`,
    ),
  );
  const forms = calls.filter((call) => !call.startsWith("form-errors"));
  expect(forms.length).toBeGreaterThan(9);
  expect(forms.filter((call) => !call.includes(", formErrors"))).toEqual([]);
});
