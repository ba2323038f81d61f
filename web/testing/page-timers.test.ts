import { expect, test } from "vitest";
import { holdTimers } from "./page-timers.ts";

const pause = (millis: number) => new Promise((resolve) => void setTimeout(resolve, millis));

test("no timer of a page wakes after its end, and until then all do", async () => {
  const page = { setTimeout, setInterval, clearTimeout };
  const end = holdTimers(page);
  const woken: string[] = [];
  page.setTimeout((name: string) => woken.push(name), 1, "soon");
  await pause(20);
  page.setTimeout(() => woken.push("late"), 30);
  page.setInterval(() => woken.push("again"), 30);
  page.clearTimeout(page.setTimeout(() => woken.push("taken back"), 1));
  end();
  await pause(80);
  expect(woken).toEqual(["soon"]);
});
