import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { limitsPage } from "./limits-page.ts";
import { resources, type Resource } from "./resources.ts";

test("docs/limits.md says what the tables say (node bin/limits-page.ts writes it)", () => {
  expect(readFileSync(join(import.meta.dirname, "../../docs/limits.md"), "utf8")).toBe(limitsPage());
});

describe.each(Object.entries<Resource>(resources))("the resource %s", (_, one) => {
  test("leaves a place for other companies", () => {
    expect(one.companyAtOnce).toBeLessThan(one.atOnce);
  });

  test("lets no user take all the waiting places of a company", () => {
    expect(one.userWaiting === 0 || one.userWaiting < one.companyWaiting).toBe(true);
  });
});
