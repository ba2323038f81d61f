import { sha256Of } from "../hashing.ts";
import { assetTypes, assetExtensionOf } from "#core/assets/rules.ts";

/** Returns an image as a data URL; undefined if the bytes are no image. */
export function dataUrlOf(bytes: Uint8Array | undefined): string | undefined {
  const type = bytes === undefined ? null : assetExtensionOf(bytes);
  if (bytes === undefined || !type || type === "pdf") return undefined;
  return `data:${assetTypes[type]};base64,${Buffer.from(bytes).toString("base64")}`;
}

export function styleHash(style: string): string {
  return sha256Of(style, "base64");
}
