import { expect, test } from "vitest";
import { rulesPageMarkdown } from "#core/lint/rules-page.ts";
import { rules } from "#core/lint/rules/index.ts";

test("the page has each rule once, and its table leads to each", () => {
  const page = rulesPageMarkdown();
  const ids = rules.map(({ id }) => id);
  expect([...page.matchAll(/^## `(\w+\/[\w-]+)`$/gm)].map(([, id]) => id)).toEqual(ids);
  for (const id of ids) expect(page).toContain(`| [\`${id}\`](#`);
});
