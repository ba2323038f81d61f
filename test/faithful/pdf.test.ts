import { expect, it } from "vitest";
import { openTypesetter } from "../../server/export/typst.ts";
import { canReadPdfs } from "../pdf-text.ts";
import { pdfDifferences } from "./pdf.ts";

it.skipIf(!canReadPdfs)("printed tables have the words of the text, each in its column and on its page", async () => {
  const typesetter = await openTypesetter();
  const fromLeft = pdfDifferences(0, 25, { typesetter });
  const fromRight = pdfDifferences(1_000, 10, { typesetter, fromRight: true });
  expect([...fromLeft, ...fromRight]).toEqual([]);
});
