import { expect, test } from "vitest";
import { endInTime } from "./end-in-time.ts";

test("ends with the work that ends, or fails as it does", async () => {
  await endInTime(60_000, "views", async () => undefined);
  await expect(endInTime(60_000, "views", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
});

test("goes on without work that never ends, and names it", async () => {
  const never = () => new Promise<void>(() => undefined);
  await expect(endInTime(20, "views", never)).rejects.toThrow("views did not end within 0.02 s");
});
