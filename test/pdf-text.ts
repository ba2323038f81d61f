/** Reads the text of a PDF with another program (poppler). */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Says whether poppler is installed. Without it, tests of PDFs are skipped with a printed warning; they fail if CI
 * requires it.
 */
export const canReadPdfs = spawnSync("pdftotext", ["-v"]).error === undefined;

if (!canReadPdfs) {
  if (process.env["CI"]) throw new Error("pdftotext is missing: install poppler-utils");
  console.log("SKIPPED: tests that read PDFs need pdftotext (Debian: apt-get install poppler-utils)");
}

/** @returns the place of each word of the first page, in points from its left and upper edges */
export function pdfPlaces(pdf: Uint8Array): Map<string, { left: number; right: number; top: number }> {
  const [page = ""] = pdfPages(pdf, "-bbox").join("").split("</page>");
  const words = page.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)"[^>]*>([^<]*)</g);
  return new Map(
    [...words].map(([, left, top, right, word = ""]) => [
      word,
      { left: Number(left), right: Number(right), top: Number(top) },
    ]),
  );
}

/** @returns the text of each page */
export function pdfPages(pdf: Uint8Array, ...options: string[]): string[] {
  const dir = mkdtempSync(path.join(tmpdir(), "sop-pdf-"));
  try {
    writeFileSync(path.join(dir, "a.pdf"), pdf);
    const read = spawnSync(
      "pdftotext",
      [...options, path.join(dir, "a.pdf"), options.includes("-bbox") ? path.join(dir, "a.html") : "-"],
      { encoding: "utf8" },
    );
    if (read.status !== 0) throw new Error(`pdftotext: ${read.stderr}`);
    return options.includes("-bbox")
      ? [readFileSync(path.join(dir, "a.html"), "utf8")]
      : read.stdout.split("\f").slice(0, -1);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
