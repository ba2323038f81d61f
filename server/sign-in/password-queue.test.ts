import { expect, test } from "vitest";
import { resources } from "../capacity/resources.ts";
import { createPasswords } from "./passwords.ts";

test("a queue that is full at the first sign-in causes no later error", async () => {
  const passwords = createPasswords({ passwordMinimum: 6, passwordBlocklist: false });
  const stored = await createPasswords({ passwordMinimum: 6, passwordBlocklist: false }).hash("a walk");
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  try {
    const { companyAtOnce, userWaiting } = resources.passwords;
    const crowd = Array.from({ length: companyAtOnce + userWaiting }, (_, n) => passwords.hash(`password ${n}`));
    const known = await passwords.verify(stored, "a walk").catch((error: unknown) => error);
    const unknown = await passwords.verify(null, "a walk").catch((error: unknown) => error);
    expect([known, unknown]).toMatchObject([{ code: "rate_limited" }, { code: "rate_limited" }]);
    await Promise.all(crowd);
    await new Promise((resolve) => setImmediate(resolve));
    // nothing crashes, and an unknown name is refused like a known one
    expect(unhandled).toEqual([]);
    expect([await passwords.verify(stored, "wrong"), await passwords.verify(null, "wrong")]).toEqual([false, false]);
  } finally {
    process.off("unhandledRejection", note);
  }
});
