import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { ClonedFolder } from "./cloned-folder.ts";
import { Difference } from "./difference.ts";

it("keeps a fault for the one who asks, also while the folder before is still read", async () => {
  const pending = new Promise<Uint8Array>(() => undefined);
  const before = new ClonedFolder(() => pending, "1", null);
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const damaged = new ClonedFolder(() => Promise.reject(new Difference("object 2 is damaged")), "2", before);
  const alone = new ClonedFolder(() => Promise.reject(new Difference("object 3 is damaged")), "3", null);
  await setImmediate();
  process.off("unhandledRejection", note);
  expect([damaged.oid, unhandled]).toEqual(["2", []]);
  await expect(alone.changes()).rejects.toThrow("object 3 is damaged");
});
