import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sopActions } from "./actions.ts";
import { can, visibleVersion } from "./can.ts";
import { roles } from "./roles.ts";
import { actorFor, factsOf, ownPermissions, relations, sopStateNames, truthTable } from "./testing/truth-table.ts";

const file = path.join(import.meta.dirname, "truth-table.txt");

test("the table that was reviewed is the one that decides", () => {
  if (process.env["UPDATE_TRUTH_TABLE"] === "1") writeFileSync(file, truthTable());
  expect(truthTable()).toBe(readFileSync(file, "utf8"));
});

test("an expired permission is none, a denial leaves nothing, and no user works on an SOP they can't see", () => {
  for (const role of roles) {
    for (const state of sopStateNames) {
      for (const relation of relations) {
        const facts = factsOf(state, relation);
        for (const action of sopActions) {
          const may = Object.fromEntries(
            ownPermissions.map((kind) => [kind, can(actorFor(role, kind, action), action, facts)]),
          );
          const here = [role, state, relation, action];
          expect([...here, may["expired allow"], may["expired deny"]]).toEqual([...here, may["none"], may["none"]]);
          expect([...here, may["deny"]]).toEqual([...here, false]);
          if (may["none"]) expect([...here, may["allow"]]).toEqual([...here, true]);
          for (const kind of ownPermissions) {
            if (!may[kind] || state === "deleted") continue;
            const seen = visibleVersion(actorFor(role, kind, action), facts);
            expect([...here, kind, action === "sop.comment" ? seen !== "nothing" : seen === "latest"]).toEqual([
              ...here,
              kind,
              true,
            ]);
          }
        }
      }
    }
  }
});
