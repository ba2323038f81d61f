import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.outgoing.refusals", {
  addressNotAllowed: "The operator of this server doesn't allow this address",
  noAddress: "{host} has no address",
  otherMachine: "{host} is not this machine",
  privateAddress: "{host} has a private address",
  unreachable: "{host} can't be reached",
});
