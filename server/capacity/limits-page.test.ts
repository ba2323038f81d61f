import { describe, expect, test } from "vitest";
import { limits } from "#core/limits.ts";
import { createLimitsPage } from "./limits-page.ts";
import { resources, type SharedResource } from "./resources.ts";

test("the page has each resource and each limit of input", () => {
  const rows = new Set([...createLimitsPage().matchAll(/^\| `(\w+)` \|/gm)].map(([, name = ""]) => name));
  for (const name of [...Object.keys(resources), ...Object.keys(limits)]) expect(rows).toContain(name);
});

describe.each(Object.entries<SharedResource>(resources))("the resource %s", (_, one) => {
  test("leaves a place for other companies", () => {
    expect(one.companyAtOnce).toBeLessThan(one.atOnce);
  });

  test("lets no user take all the waiting places of a company", () => {
    expect(one.userWaiting === 0 || one.userWaiting < one.companyWaiting).toBe(true);
  });
});
