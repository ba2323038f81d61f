import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { expect, test } from "vitest";
import { createRenderPool } from "../render/pool.ts";
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
