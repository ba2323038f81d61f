import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.keys.refusals", {
  lostKey: "Your API key is stored, but this server no longer has the key it was encrypted with. Enter it again.",
  damagedKey: "Your stored API key is damaged. Enter it again.",
  otherProcess: "another process adds a key at this moment: try again in a minute",
});
