import { afterEach, expect, test, vi } from "vitest";
import { parseFile } from "#core/lint/parse-file.ts";
import { parseMarkdown } from "./parse.ts";
import { renderHtml } from "./render.ts";

afterEach(() => vi.restoreAllMocks());

test("Markdown is read and shown where the working directory is gone", () => {
  vi.spyOn(process, "cwd").mockImplementation(() => {
    throw new Error("ENOENT: process.cwd failed");
  });
  expect(parseMarkdown("# A\n").children).toHaveLength(1);
  expect(parseFile("# A\n").tree.children).toHaveLength(1);
  expect(renderHtml("A **b**\n")).toBe("<p>A <strong>b</strong></p>");
});
