import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { NamedImage, PrintAsk } from "#core/export/printing.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { documentOf } from "../../test/export-words.ts";
import { pngHead } from "../../test/images.ts";
import { withCaller } from "../capacity/caller.ts";
import { resources } from "../capacity/resources.ts";
import { createPrinter } from "./printer.ts";

const ask = (markdown = "Text.\n", format: PrintAsk["format"] = "pdf"): PrintAsk => ({
  format,
  document: documentOf(markdown),
  html: renderHtml(markdown),
  standard: null,
});
/** Images that are there at once. */
const given = (...images: NamedImage[]) => Promise.resolve(Readable.from(images) as AsyncIterable<NamedImage>);
const start = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 4)).toString("latin1");

const printer = createPrinter();
afterAll(() => printer.close());

describe("the printer", () => {
  it("prints one document after the other, unaffected by the ones before", async () => {
    const made = await Promise.all([
      printer.print(ask()),
      printer.print(ask("B\n", "docx")),
      printer.print(ask("C\n")),
    ]);
    expect(made.map(({ bytes }) => start(bytes))).toEqual(["%PDF", "PK\u0003\u0004", "%PDF"]);
  });

  it("reports refusals, and goes on", async () => {
    for (const format of ["pdf", "docx"] as const) {
      const huge = { ...ask("Text.\n", format), html: "x".repeat(9 * 2 ** 20) };
      await expect(printer.print(huge)).rejects.toMatchObject({ code: "too_large" });
    }
    expect(start((await printer.print(ask())).bytes)).toBe("%PDF");
  });

  it("reads the images of a document once it has a place", async () => {
    const one = createPrinter({ bounds: { ...resources.print, atOnce: 1, companyAtOnce: 1 } });
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = one.print(ask(), async () => {
      order.push("read first");
      begun.resolve();
      await gate.promise;
      order.push("has read first");
      return await given();
    });
    const second = one.print(ask(), async () => {
      order.push("read second");
      return await given();
    });
    await begun.promise;
    gate.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(["read first", "has read first", "read second"]);
    await one.close();
  });

  it("ends with an image that can't be read, and sets the next document without the images before it", async () => {
    const name = `${"a".repeat(64)}.png`;
    async function* broken(): AsyncGenerator<NamedImage> {
      yield { names: [name], bytes: pngHead(9_000, 9_000) };
      throw new Error("the database is gone");
    }
    const markdown = `![p](/api/assets/${name})\n`;
    await expect(printer.print(ask(markdown), () => Promise.resolve(broken()))).rejects.toThrow("the database is gone");
    expect((await printer.print(ask(markdown))).warnings).toEqual([`an image is missing: ${name}`]);
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

  it("ends what takes too much memory, says so, and serves the next from a new process", async () => {
    const strict = createPrinter({ megabytes: 20 });
    await expect(strict.print(ask(`![a pump](/api/assets/${"a".repeat(64)}.png)`))).rejects.toMatchObject({
      code: "unprocessable",
      message: expect.stringMatching(/takes too much memory\. Use fewer or smaller images/),
    });
    await expect(strict.print(ask("1. Step\n"))).rejects.toMatchObject({
      message: expect.stringMatching(/takes too much memory\. Split it into several SOPs, or export it as HTML/),
    });
    await strict.close();
  });

  it("is built together with its guard", () => {
    expect(readFileSync("tsup.config.ts", "utf8")).toContain('"memory-guard": "server/export/memory-guard.ts"');
  });

  it("refuses a document whose images have too many pixels together", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `${String(index).repeat(64)}.png`);
    const markdown = names.map((name) => `![p](/api/assets/${name})\n\n`).join("");
    const images = names.map((name) => ({ names: [name], bytes: pngHead(6_000, 6_000) }));
    for (const format of ["pdf", "docx"] as const) {
      await expect(printer.print(ask(markdown, format), () => given(...images))).rejects.toMatchObject({
        code: "unprocessable",
        message: expect.stringContaining("have 216 million pixels together; the limit is 100 million"),
      });
    }
  });

  it("leaves out an image with too many pixels, and says why", async () => {
    const name = `${"a".repeat(64)}.png`;
    for (const format of ["pdf", "docx"] as const) {
      const one = { names: [name], bytes: pngHead(9_000, 9_000) };
      const { warnings } = await printer.print(ask(`![p](/api/assets/${name})\n`, format), () => given(one));
      expect(warnings).toEqual([`an image has 81 million pixels; the limit is 40 million: ${name}`]);
    }
  });

  it("sets a document of one company while others of another company wait", async () => {
    const shared = createPrinter();
    const order: string[] = [];
    const print = (companyId: string, markdown: string) =>
      withCaller({ companyId, userId: "u" }, () => shared.print(ask(markdown))).then(() => order.push(companyId));
    const long = "1. Step\n".repeat(2_000);
    await Promise.all([print("a", long), print("a", long), print("a", long), print("b", "Short.\n")]);
    expect(order.indexOf("b")).toBeLessThan(2);
    await shared.close();
  });

  it("reuses a company's process, and starts a new one after a document that took too much memory", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "sop-printer-"));
    const program = path.join(folder, "program.mjs");
    // answers with its process id, and holds too much memory after a document that says so
    writeFileSync(
      program,
      `process.on("message", ({ ask }) => {
        const printed = { bytes: Buffer.from(String(process.pid)), warnings: [] };
        process.send({ kind: "done", printed, full: ask.html.includes("large") });
      });
      process.send({ kind: "ready" });`,
    );
    const shared = createPrinter({ program: pathToFileURL(program) });
    const processOf = async (companyId: string, markdown = "Text.\n") => {
      const { bytes } = await withCaller({ companyId, userId: "u" }, () => shared.print(ask(markdown)));
      return Buffer.from(bytes).toString();
    };
    const [a, b] = [await processOf("a"), await processOf("b")];
    expect(b).not.toBe(a);
    expect([await processOf("a"), await processOf("b")]).toEqual([a, b]);
    expect(await processOf("a", "A large one.\n")).toBe(a);
    const next = await processOf("a");
    expect([a, b]).not.toContain(next);
    expect(await processOf("b")).toBe(b);
    // no more processes than places: a third company takes one that rests
    expect([next, b]).toContain(await processOf("c"));
    await shared.close();
    rmSync(folder, { recursive: true });
  });

  it("refuses when too much work of one user waits, and when it is closed", async () => {
    const short = createPrinter({ bounds: { ...resources.print, userWaiting: 0 } });
    const first = short.print(ask());
    await expect(short.print(ask())).rejects.toMatchObject({ code: "rate_limited" });
    expect(start((await first).bytes)).toBe("%PDF");
    await short.close();
    await expect(short.print(ask())).rejects.toMatchObject({ code: "busy" });
  });

  it("ends its work when it is closed", async () => {
    const closing = createPrinter();
    const works = [closing.print(ask("1. Step\n".repeat(5_000))), closing.print(ask())];
    const ended = Promise.allSettled(works);
    await closing.close();
    expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
