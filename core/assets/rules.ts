/** Images and PDFs that SOPs link. Their first bytes decide the type, never their name (`docs/spec/entities.md`). */
export const assetTypes = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
} as const;
export type AssetExtension = keyof typeof assetTypes;

const startsWith = (bytes: Uint8Array, at: number, text: string) =>
  [...text].every((char, index) => bytes[at + index] === char.charCodeAt(0));

/** Returns the file extension for the first bytes of a file; null for a file that is neither an image nor a PDF. */
export function assetExtensionOf(bytes: Uint8Array): AssetExtension | null {
  if (bytes[0] === 0x89 && startsWith(bytes, 1, "PNG\r\n\x1a\n")) return "png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "jpg";
  if (startsWith(bytes, 0, "GIF87a") || startsWith(bytes, 0, "GIF89a")) return "gif";
  if (startsWith(bytes, 0, "RIFF") && startsWith(bytes, 8, "WEBP")) return "webp";
  if (startsWith(bytes, 0, "%PDF-")) return "pdf";
  return null;
}
