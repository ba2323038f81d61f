import { afterAll, describe, expect, it } from "vitest";
import type { ExportDocument } from "#core/export/document.ts";
import type { PrintAsk } from "#core/export/printing.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { createPrinter } from "./printer.ts";

const document: ExportDocument = {
  number: "SOP-0001",
  version: 1,
  workingCopy: false,
  standing: "published",
  title: "Title",
  description: "",
  markdown: "Text.\n",
  lang: null,
  category: null,
  company: null,
  owner: null,
  writtenBy: null,
  changeClass: null,
  approvals: [],
  effective: null,
  reviewBy: null,
  contentHash: null,
  tags: [],
  at: "2026-01-01T00:00:00.000Z",
};
const ask = (markdown = "Text.\n", format: PrintAsk["format"] = "pdf"): PrintAsk => ({
  format,
  document: { ...document, markdown },
  html: renderHtml(markdown),
  pictures: {},
  standard: null,
});
const start = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 4)).toString("latin1");

const printer = createPrinter();
afterAll(() => printer.close());

describe("the printer", () => {
  it("sets one document after the other, whatever was asked first", async () => {
    const made = await Promise.all([
      printer.print(ask()),
      printer.print(ask("B\n", "docx")),
      printer.print(ask("C\n")),
    ]);
    expect(made.map(({ bytes }) => start(bytes))).toEqual(["%PDF", "PK\u0003\u0004", "%PDF"]);
  });

  it("passes refusals on, and goes on", async () => {
    for (const format of ["pdf", "docx"] as const) {
      const huge = { ...ask("Text.\n", format), html: "x".repeat(3 * 2 ** 20) };
      await expect(printer.print(huge)).rejects.toMatchObject({ code: "too_large" });
    }
    expect(start((await printer.print(ask())).bytes)).toBe("%PDF");
  });

  it("keeps the event loop free", async () => {
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    await printer.print(ask("1. Step\n".repeat(3_000)));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(3);
  });

  it("ends what takes too long, and serves the next from a new process", async () => {
    const strict = createPrinter({ wall: 1 });
    await expect(strict.print(ask("1. Step\n".repeat(3_000)))).rejects.toMatchObject({
      code: "unprocessable",
      message: expect.stringContaining("takes too long"),
    });
    await expect(strict.print(ask("1. Step\n".repeat(3_000)))).rejects.toMatchObject({ code: "unprocessable" });
    await strict.close();
  });

  it("is busy when too much waits, and when it is closed", async () => {
    const short = createPrinter({ queue: 1 });
    const first = short.print(ask());
    await expect(short.print(ask())).rejects.toMatchObject({ code: "busy" });
    expect(start((await first).bytes)).toBe("%PDF");
    await short.close();
    await expect(short.print(ask())).rejects.toMatchObject({ code: "busy" });
  });
});
