import { expect, test } from "vitest";
import type { FrontMatter } from "../markdown/front-matter.ts";
import { fieldChangesOfProposal, withProposedFields } from "./fields.ts";
import { nextProposalState, proposalMoves, proposalStates } from "./rules.ts";

test("an open proposal has every move, a closed one none", () => {
  expect(proposalMoves.map((move) => nextProposalState("open", move))).toEqual([
    "accepted",
    "merged",
    "dismissed",
    "superseded",
  ]);
  const closed = proposalStates.filter((state) => state !== "open");
  expect(closed.flatMap((state) => proposalMoves.map((move) => nextProposalState(state, move)))).toEqual(
    closed.flatMap(() => proposalMoves.map(() => null)),
  );
});

const base: FrontMatter = { sop: "SOP-0001", id: "a", version: 1, title: "Rinse", tags: ["mill"], owner: "ada" };

test("names the details that a proposal changes, and those that were changed here too", () => {
  const current: FrontMatter = { ...base, version: 3, title: "Rinse it", lang: "en" };
  const proposed: FrontMatter = { ...base, title: "Rinse well", tags: [], review_by: "2027-01-01", read_minutes: 9 };
  expect(fieldChangesOfProposal(base, current, proposed)).toEqual([
    { key: "title", base: "Rinse", current: "Rinse it", proposed: "Rinse well", by: "both" },
    { key: "tags", base: "mill", current: "mill", proposed: null, by: "proposed" },
    { key: "review_by", base: null, current: null, proposed: "2027-01-01", by: "proposed" },
  ]);
  // without a base, every difference may be the proposal's
  expect(fieldChangesOfProposal(null, current, base).map(({ key, by }) => [key, by])).toEqual([
    ["title", "proposed"],
    ["lang", "proposed"],
  ]);
});

test("takes the chosen details, and never what the server owns", () => {
  const proposed: FrontMatter = { id: "b", version: 9, title: "Rinse well", ai_generated: false };
  const keys = new Set(["title", "tags", "id", "version", "ai_generated"]);
  expect(withProposedFields({ ...base, ai_generated: true }, proposed, keys)).toEqual({
    sop: "SOP-0001",
    id: "a",
    version: 1,
    title: "Rinse well",
    owner: "ada",
    ai_generated: true,
  });
});
