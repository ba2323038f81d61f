import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.export.refusals", {
  clientLeft: "The client has left",
  wideTable:
    "The document can't be set: a table has {columns} columns, and the paper holds {most} there. Split it, or export the document as HTML",
  stopping: "The server is stopping. Try again in a moment",
  largeImages: "The document's images have {has} together; the limit is {most}. Use smaller images",
  cannotSet: "The document can't be set as a PDF: {reason}",
  noTypesetter:
    "PDFs can't be created on this machine ({platform} {arch}): the typesetter is missing. Export as HTML (--format html) and print that",
  nestedTooDeeply: "The text is nested too deeply",
});
