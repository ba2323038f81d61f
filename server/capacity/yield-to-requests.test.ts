import { readdirSync, readFileSync } from "node:fs";
import { constants, getPriority, tmpdir } from "node:os";
import { expect, test } from "vitest";
import { createRenderPool } from "../render/pool.ts";
import { findGit, startGit } from "../repository/git-process.ts";
import { belowRequests } from "./yield-to-requests.ts";

/** Nice values of this process's threads, lowest first: field 19 of their `stat`. */
function niceValues(): number[] {
  const folder = "/proc/self/task";
  const stats = readdirSync(folder).map((thread) => readFileSync(`${folder}/${thread}/stat`, "utf8"));
  // the name in parentheses may hold spaces
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])).toSorted((a, b) => a - b);
}

test.runIf(process.platform === "linux")(
  "texts are rendered below the priority of the thread that answers",
  async () => {
    const pool = createRenderPool();
    await pool.render("# A text\n");
    const nice = niceValues();
    expect(nice[0]).toBe(constants.priority.PRIORITY_NORMAL);
    expect(nice).toContain(belowRequests);
    await pool.close();
  },
);

test.runIf(findGit() !== null)("git runs below the priority of the thread that answers", async () => {
  // waits for its input
  const child = startGit(findGit() ?? "", tmpdir(), ["hash-object", "--stdin"]);
  expect(getPriority(child.pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
  child.stdin.end();
  await new Promise((resolve) => child.once("close", resolve));
});
