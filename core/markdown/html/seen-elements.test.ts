import { fromHtml } from "hast-util-from-html";
import type { Element } from "hast";
import { expect, it } from "vitest";
import { tableRowGroupsOf, cellsWithColumns } from "./seen-elements.ts";

it("covers a bounded number of columns, however many few cells claim", () => {
  const html = `<table>${"<tr><td colspan=1000 rowspan=65000>x".repeat(300)}</table>`;
  const [table] = fromHtml(html, { fragment: true }).children as Element[];
  const columns = tableRowGroupsOf(table as Element).flatMap((rows) =>
    cellsWithColumns(rows)
      .flat()
      .map(({ column }) => column),
  );
  expect(columns).toHaveLength(300);
  expect(Math.max(...columns)).toBe(1_000);
});
