import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.sops.view.refusals", {
  clientLeft: "The client has left",
  cannotExport: "{message}. {way}",
  unknownVersion: "This version does not exist",
  damagedText: "The text of this version is {what} on the server. {way}",
});
