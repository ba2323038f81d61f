import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.git.refusals", {
  tooLargeClone: "You can't read every SOP, and a clone for you would hold more than {most}. Use sop pull instead",
  noRepository: "There is no such repository",
  oldGit: "Update git: it asks in a way of before 2010",
  noService: "There is no such service",
  otherType: "Send {type}",
  cannotWrite: "You don't have permission to write SOPs",
  beingBuilt: "The repository is being built. Try again in a minute",
  packedRequest: "The request can't be unpacked",
  tokenNeeded: "Sign in with a token as the password",
  missingScope: "The token lacks the scope {scope}",
  slowPush: "The push took too long",
  unreadablePush: "The push can't be read",
  unreadableNames: "The push can't be read, or it names too many branches and tags",
  cannotClone: "This server has no git, so it can't be cloned. Use sop pull",
  cannotPush: "This server has no git, so it can't take a push. Use sop push",
});
