import { expect, it } from "vitest";
import { pngHead } from "../../test/images.ts";
import { storedFileOrProblem } from "./stored-files.ts";

const store = (bytes: Uint8Array) =>
  storedFileOrProblem(
    "pump.png",
    bytes,
    () => "ab",
    () => Promise.resolve(bytes),
  );

it("an image with too many pixels isn't imported, and the report says why", () => {
  expect(store(pngHead(9_000, 9_000))).toMatchObject({
    problem: { text: "pump.png has 81 million pixels; the limit is 40 million" },
  });
  expect(store(pngHead(900, 900))).toMatchObject({ sha256: "ab", ext: "png" });
});
