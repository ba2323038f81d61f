/** The query of an export of an SOP. */
import { z } from "zod";
import { ReadersView, saying } from "../contract/parts.ts";
import { pdfStandards } from "../export/printing.ts";
import { fieldRefusals as refusals } from "./field-refusals.ts";

export const ExportQuery = z
  .strictObject({
    format: z.enum(["md", "json", "html", "pdf", "docx"]).default("md"),
    /** The standard of a PDF: `a-2b` is PDF/A for archives. */
    standard: z.enum(pdfStandards).optional(),
    version: z.coerce.number().int().min(1).optional(),
    view: ReadersView,
  })
  .refine(({ format, standard }) => format === "pdf" || standard === undefined, {
    ...saying(refusals.standard),
    path: ["standard"],
  });
