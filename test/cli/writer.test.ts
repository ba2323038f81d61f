/**
 * A writer without a server: a folder, a document, its errors fixed, and a PDF with title, status and number on each
 * page.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canReadPdfs, pdfPages } from "../pdf-text.ts";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

let folder: Folder;
beforeAll(() => void (folder = makeFolder()));
afterAll(() => folder.remove());

const sop = (...args: string[]) =>
  runSop(args, { cwd: folder.path, env: { USER: "ada", SOP_SERVER: "http://127.0.0.1:1" } });

describe.skipIf(!canReadPdfs)("a writer without a server", { timeout: 120_000 }, () => {
  test("init, new, edit, lint --fix, export --format pdf", async () => {
    expect((await sop("init")).code).toBe(0);
    expect((await sop("new", "Lock out the filler", "--category", "Safety Protocols")).code).toBe(0);
    const file = "sops/safety-protocols/lock-out-the-filler.md";
    expect((await sop("lint")).code).toBe(1);
    const steps = ["Press the red button.", "Lock the main switch.", "Try to start the filler."];
    let step = 0;
    const text = readFileSync(join(folder.path, file), "utf8")
      .replace('description: ""', 'description: "Nobody is hurt while the filler is cleaned."')
      .replace(/^(\d\.) \[insert[^\]]*\]/gm, (_, number: string) => `${number} ${steps[step++]}`)
      .replace(/\[insert the hazard[^\]]*\]/, "Moving parts crush hands. Keep your hands out of the filler.")
      .replace(/\[insert[^\]]*\]/g, "the filler")
      .replace("## Records", "##### Records");
    folder.write({ [file]: text });
    expect(await sop("lint", "--fix")).toMatchObject({ code: 0 });
    expect(await sop("export", "--from-dir", "sops", "--format", "pdf", "-o", "out.pdf")).toMatchObject({ code: 0 });
    const pages = pdfPages(readFileSync(join(folder.path, "out.pdf")), "-layout");
    expect(pages.length).toBeGreaterThan(0);
    for (const [index, page] of pages.entries()) {
      expect(page).toMatch(/DRAFT/i);
      expect(page).toContain("Lock out the filler");
      expect(page).toMatch(new RegExp(`${index + 1} of ${pages.length}`));
    }
    for (const words of steps) expect(pages.join("")).toContain(words);
  });
});
