import fc from "fast-check";
import { expect, test } from "vitest";
import { assetTypes, assetExtensionOf } from "./rules.ts";

const bytes = (text: string) => Uint8Array.from([...text].map((char) => char.charCodeAt(0)));

test.each([
  ["\u0089PNG\r\n\u001a\nIHDR", "png"],
  ["\u00ff\u00d8\u00ff\u00e0", "jpg"],
  ["GIF87a", "gif"],
  ["GIF89a", "gif"],
  ["RIFFxxxxWEBPVP8 ", "webp"],
  ["%PDF-1.7", "pdf"],
])("%j is known", (text, ext) => {
  expect(assetExtensionOf(bytes(text))).toBe(ext);
});

test.each(["", "\u0089PNG", "GIF88a", "RIFFxxxxWAVE", " %PDF-1.7", "<svg/>", "<html>", "\u00ff\u00d8"])(
  "%j is none",
  (text) => {
    expect(assetExtensionOf(bytes(text))).toBeNull();
  },
);

test("any bytes at all are one of the five or none", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 32 }), (random) => {
      const ext = assetExtensionOf(random);
      expect(ext === null || Object.hasOwn(assetTypes, ext)).toBe(true);
    }),
  );
});
