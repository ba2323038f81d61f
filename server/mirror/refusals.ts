import { sentences } from "../../core/language/catalog.ts";

export const refusals = sentences("server.mirror.refusals", {
  noMirror: "There is no mirror",
  noOtherCommits: "No branch of the remote has commits of others",
  branchNeeded: "Choose a branch for incoming changes first",
});
