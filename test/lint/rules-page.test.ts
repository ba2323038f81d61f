import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rulesPage } from "#core/lint/rules-page.ts";

test("docs/rules.md says what the rules say (node bin/rules-page.ts writes it)", () => {
  expect(readFileSync(join(import.meta.dirname, "../../docs/rules.md"), "utf8")).toBe(rulesPage());
});
