import { sentences } from "../../language/catalog.ts";

export const refusals = sentences("core.import.docx.refusals", {
  nestedTooDeeply: "it is nested too deeply",
  unreadable: "it can't be read as a Word document: open it in Word and save it again",
  encrypted: "it is encrypted, or in Word's old format: save it as .docx without a password",
  notWord: "it isn't a Word document (.docx)",
  documentType: "it holds a document type, which Word never writes",
});
