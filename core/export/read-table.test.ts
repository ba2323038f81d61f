import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderHtml } from "../markdown/render.ts";
import { plainTextOfInlines, type ExportBlock, type ExportTable } from "./blocks.ts";
import { readExportBlocks } from "./read-blocks.ts";

function tableOf(html: string): ExportTable {
  const table = readExportBlocks(renderHtml(html)).find((block) => block.type === "table");
  if (table?.type !== "table") throw new Error("no table");
  return table;
}

const wordsOf = (blocks: readonly ExportBlock[]) =>
  blocks.map((block) => (block.type === "paragraph" ? plainTextOfInlines(block.children) : "")).join(" ");

/** The columns of each cell with words, and the rows it covers: `first-last/rows`. */
function placesOf({ rows }: ExportTable): Map<string, string> {
  const places = new Map<string, string>();
  const below: number[] = [];
  for (const [row, { cells }] of rows.entries()) {
    let column = 0;
    for (const cell of cells) {
      while ((below[column] ?? 0) > row) column += 1;
      const last = column + cell.columns - 1;
      if (cell.children.length > 0) places.set(wordsOf(cell.children), `${column}-${last}/${cell.rows}`);
      for (; column <= last; column += 1) below[column] = row + cell.rows;
    }
  }
  return places;
}

/** Each place of the grid has one cell. */
function holes({ rows, shares }: ExportTable): string[] {
  const below = shares.map(() => 0);
  const faults: string[] = [];
  for (const [row, { cells }] of rows.entries()) {
    let column = 0;
    for (const cell of cells) {
      while ((below[column] ?? 0) > row) column += 1;
      for (let end = column + cell.columns; column < end; column += 1) {
        if ((below[column] ?? Infinity) > row) faults.push(`row ${row} has two cells in column ${column}`);
        below[column] = row + cell.rows;
      }
    }
    const gaps = below.filter((one) => one <= row).length;
    if (gaps > 0) faults.push(`row ${row} has ${gaps} gaps`);
    if (cells.length === 0) faults.push(`row ${row} has no cell`);
  }
  if (below.some((one) => one > rows.length)) faults.push("a cell reaches below the table");
  return faults;
}

describe("columns of a table are those of the screen", () => {
  it("below a header over two rows, in the head or in the first rows", () => {
    const rows =
      "<tr><th rowspan=2>Task</th><th colspan=2>Shift</th></tr><tr><td>Day</td><td>Night</td></tr><tr><td>n1</td><td>bob</td><td>cy</td></tr>";
    const table = tableOf(`<table>${rows}</table>`);
    expect(table.headRows).toBe(2);
    expect(Object.fromEntries(placesOf(table))).toEqual({
      Task: "0-0/2",
      Shift: "1-2/1",
      Day: "1-1/1",
      Night: "2-2/1",
      n1: "0-0/1",
      bob: "1-1/1",
      cy: "2-2/1",
    });
    const inHead = tableOf(`<table><thead>${rows.replaceAll("td>", "th>")}</thead><tr><td>x</td></tr></table>`);
    expect(placesOf(inHead)).toEqual(new Map([...placesOf(table), ["x", "0-0/1"]]));
  });

  it("when a header reaches down to the last row: nothing repeats on each page", () => {
    const table = tableOf("<table><tr><th rowspan=2>Area</th><th>Point</th></tr><tr><td>R2</td></tr></table>");
    expect(table.headRows).toBe(0);
    expect(Object.fromEntries(placesOf(table))).toEqual({ Area: "0-0/2", Point: "1-1/1", R2: "1-1/1" });
  });

  it("beside a cell over hundreds of rows", () => {
    const rows = Array.from({ length: 300 }, (_, row) => `<tr><td>a${row}</td><td>b${row}</td></tr>`);
    const merged = rows.join("").replace("<tr>", "<tr><td rowspan=300>M</td>");
    const places = placesOf(tableOf(`<table>${merged}</table>`));
    expect(places.get("M")).toBe("0-0/300");
    expect([places.get("a299"), places.get("b299")]).toEqual(["1-1/1", "2-2/1"]);
  });

  it.each([
    [
      "0 rows: to the end of its part",
      "<tbody><tr><td rowspan=0>A<td>b<tr><td>c</tbody><tr><td>d",
      { A: "0-0/2", d: "0-0/1" },
    ],
    [
      "a span ends with its part",
      "<tbody><tr><td rowspan=9>A<td>b</tbody><tbody><tr><td>c<td>d",
      { A: "0-0/1", c: "0-0/1" },
    ],
    ["a foot is a part", "<tr><td>a<td>b<tfoot><tr><td rowspan=5>F<td>f", { F: "0-0/1", f: "1-1/1" }],
    [
      "a second head is a part",
      "<thead><tr><th>H<th>h</thead><tr><td>a<td>b<thead><tr><th rowspan=3>S<th>s</thead>",
      { S: "0-0/1", s: "1-1/1" },
    ],
    ["more columns than the table has", "<tr><td>a<td>b<tr><td colspan=99>c", { b: "1-1/1", c: "0-1/1" }],
    ["a row without cells", "<tr><td rowspan=3>A<td>b<tr><tr><td>c", { A: "0-0/2", b: "1-1/1", c: "1-1/1" }],
    [
      "two cells in one place",
      "<tr><td>a<td rowspan=2>b<td>c<tr><td colspan=3>d<td>e",
      { b: "1-1/2", d: "0-0/1", e: "3-3/1" },
    ],
    ["a header in the first column", "<tr><th>a<td>b<tr><th rowspan=2>c<td>d<tr><td>e", { c: "0-0/2", e: "1-1/1" }],
  ])("%s", (_, rows, expected) => {
    const table = tableOf(`<table>${rows}</table>`);
    expect(holes(table)).toEqual([]);
    expect(Object.fromEntries(placesOf(table))).toMatchObject(expected);
  });

  /** The steps of "forming a table" in the HTML standard, slot by slot. */
  function standard(parts: readonly (readonly (readonly Spans[])[])[]): Map<string, string> {
    const columns = new Map<string, { first: number; rows: Set<number> }>();
    const begins = { columns: new Set<number>(), rows: new Set<number>() };
    let top = 0;
    for (const part of parts) {
      const slots = new Set<string>();
      for (const [index, row] of part.entries()) {
        const y = top + index;
        let x = 0;
        for (const { name, across, down } of row) {
          while (slots.has(`${x} ${y}`)) x += 1;
          const end = down === 0 ? top + part.length : Math.min(y + down, top + part.length);
          begins.columns.add(x);
          begins.rows.add(y);
          columns.set(name, { first: x, rows: new Set(Array.from({ length: end - y }, (__, at) => y + at)) });
          for (let right = x; right < x + across; right += 1) {
            for (let below = y; below < end; below += 1) slots.add(`${right} ${below}`);
          }
          x += across;
        }
      }
      top += part.length;
    }
    const shown = [...begins.columns].sort((one, other) => one - other);
    return new Map(
      [...columns].map(([name, { first, rows }]) => [
        name,
        `${shown.indexOf(first)}/${[...rows].filter((row) => begins.rows.has(row)).length}`,
      ]),
    );
  }

  interface Spans {
    name: string;
    across: number;
    down: number;
  }
  const span = (most: number) => fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.nat({ max: most }));
  const cell = fc.record({ across: span(4).map((one) => Math.max(one, 1)), down: span(5), header: fc.boolean() });
  const part = fc.array(fc.array(cell, { maxLength: 4 }), { minLength: 1, maxLength: 6 });

  it("in any table, with one cell in each place", () => {
    const check = (parts: { across: number; down: number; header: boolean }[][][], hasHead: boolean) => {
      let count = 0;
      const named = parts.map((rows) => rows.map((row) => row.map((one) => ({ ...one, name: `c${(count += 1)}` }))));
      fc.pre(count > 0);
      const html = named.map((rows, index) => {
        const tag = index === 0 && hasHead ? "thead" : "tbody";
        const cells = (row: (typeof rows)[number]) =>
          row
            .map(({ name, across, down, header }) => {
              const td = header ? "th" : "td";
              return `<${td} colspan="${across}" rowspan="${down}">${name}</${td}>`;
            })
            .join("");
        return `<${tag}>${rows.map((row) => `<tr>${cells(row)}</tr>`).join("")}</${tag}>`;
      });
      const table = tableOf(`<table>${html.join("")}</table>`);
      expect(holes(table)).toEqual([]);
      const places = [...placesOf(table)].map(([name, at]) => [name, at.replace(/-\d+/, "")]);
      expect(new Map(places as [string, string][])).toEqual(standard(named));
      // a repeated head never cuts a cell
      const cut = table.rows
        .slice(0, table.headRows)
        .flatMap(({ cells }, row) => cells.filter((one) => row + one.rows > table.headRows));
      expect(cut).toEqual([]);
      expect(table.headRows).toBeLessThan(table.rows.length);
    };
    fc.assert(fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), fc.boolean(), check), { numRuns: 200 });
  });
});
