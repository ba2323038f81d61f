import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.proposals.refusals", {
  deletedSop: "The SOP is deleted. Dismiss the proposal",
  newSop: "A new SOP has nothing to merge with: accept it",
  unproposed: "The proposal doesn't change {field}",
  noText: "It has no text to merge: accept or dismiss it",
  deletedSopToDecide: "The SOP is deleted. Dismiss the proposal",
  otherVersion: "Someone else saved version {version}",
  changedSince: "The SOP was changed since. Merge the proposal instead",
  closedAlready: "This proposal is already closed",
  closed:
    "This proposal is {state, select, accepted {accepted} merged {merged} dismissed {dismissed} other {superseded}}",
  noRoom: "Too many proposals are open. Decide about some of them first",
  unknown: "There is no such proposal",
});
