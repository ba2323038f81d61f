import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.sops.view.refusals", {
  clientLeft: "The client has left",
  addFonts: "{message}. Ask an administrator of the server to run: {command}",
  otherCharacters: "{message}. Use other characters",
  unknownVersion: "This version does not exist",
  damagedText:
    "The text of this version is {what, select, lost {lost} other {damaged}} on the server. {way, select, restore {Restore an earlier version from its history} other_version {Use another version from its history} other {No other version is whole. Ask an administrator of the server to restore a backup, or delete this SOP}}",
});
