import { expect, test } from "vitest";
import { endWithTimeout } from "./end-in-time.ts";

test("ends with its work, or fails as the work does", async () => {
  await endWithTimeout(60_000, "views", async () => undefined);
  await expect(endWithTimeout(60_000, "views", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
});

test("gives up work that never ends, and names it", async () => {
  const never = () => new Promise<void>(() => undefined);
  await expect(endWithTimeout(20, "views", never)).rejects.toThrow("views did not end within 0.02 s");
});
