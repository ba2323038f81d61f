import { expect, test } from "vitest";
import type { ExportBlock } from "./blocks.ts";
import { withLimitedDepth } from "./limit-depth.ts";

const text = (words: string): ExportBlock => ({
  type: "paragraph",
  rtl: false,
  children: [{ type: "text", text: words }],
});

test("an alert and details that are nested too deeply keep their title and summary as text", () => {
  const deep: ExportBlock[] = [
    { type: "alert", kind: "warning", title: "Warning", children: [text("Hot")] },
    { type: "details", summary: [{ type: "text", text: "More" }], children: [text("Less")] },
  ];
  const inQuotes = Array.from({ length: 9 }).reduce<ExportBlock[]>((children) => [{ type: "quote", children }], deep);
  const words = JSON.stringify(withLimitedDepth(inQuotes)).match(/"text":"[^"]+"/g);
  expect(words).toEqual(['"text":"Warning"', '"text":"Hot"', '"text":"More"', '"text":"Less"']);
});
