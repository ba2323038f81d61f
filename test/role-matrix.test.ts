/** The server follows the reviewed truth table in every row: 404, 403 or allowed. */
import { expect, test } from "vitest";
import { count, recordFigure } from "./proof.ts";
import { actionsWithoutRow, allCases, checkAll, rowsNotCovered, sampleCases } from "./role-matrix.ts";
import { describeServer } from "./server.ts";

test("the table asks every row of an SOP", () => {
  // the read rows show who can read the draft; deciding needs a request that names the actor
  expect(actionsWithoutRow()).toEqual(["sop.read_head", "sop.decide"]);
  // one version has the same access as all of them
  expect(rowsNotCovered()).toEqual(["sops.version"]);
});

describeServer("the role matrix", (server, engine) => {
  test(
    "HTTP agrees with the truth table",
    async () => {
      const all = allCases();
      const proof = engine === "sqlite" ? all.length : 10_000;
      const cases = sampleCases(all, count({ usual: engine === "sqlite" ? 1_500 : 200, proof }));
      const wrong = await checkAll(server(), cases);
      recordFigure({ name: `role matrix on ${engine}: cases`, value: cases.length, unit: "cases", goal: `= ${proof}` });
      recordFigure({
        name: `role matrix on ${engine}: disagreements`,
        value: wrong.length,
        unit: "cases",
        goal: "= 0",
      });
      expect(wrong.slice(0, 20)).toEqual([]);
    },
    count({ usual: 60_000, proof: 1_800_000 }),
  );
});
