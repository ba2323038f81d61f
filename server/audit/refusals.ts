import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.audit.refusals", {
  filteredLog: "Only a complete log can be verified. Remove the filters, or choose CSV",
  partOfLog: "Only people who can read every SOP can export the complete log. Choose CSV",
  unknownRow: "row {unknown} not found in this company's log",
  rowOfErasure: "row {seq} records an erasure and can't be erased",
});
