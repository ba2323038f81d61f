/** Makes images smaller. No other file uses the image library. */
import { limits } from "#core/limits.ts";

export interface ImageScaler {
  /** Says whether the image's EXIF data turns or mirrors it. */
  isTurned(bytes: Uint8Array): Promise<boolean>;
  /**
   * The image turned as its EXIF data says, in sRGB, with at most `pixels`. A JPEG stays one; other images become PNG, or JPEG
   * if they are photos. An animation keeps its first frame. Rejects if the image can't be decoded.
   */
  scaled(bytes: Uint8Array, pixels: number): Promise<Uint8Array>;
}

const jpeg = { quality: 85 };
const readers = ["Jpeg", "Png", "Webp", "Nsgif"].map((one) => `VipsForeignLoad${one}`);

/** Rejects if the library has no build for this machine. */
export async function openImageScaler(): Promise<ImageScaler> {
  const { default: sharp } = await import("sharp");
  // a cache is useless, as each image is read once; documents that are set at once share the processors already
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: readers });
  // a truncated image is printed as far as it can be decoded
  const openImage = (bytes: Uint8Array) => sharp(bytes, { limitInputPixels: limits.imagePixels, failOn: "none" });

  return {
    async isTurned(bytes) {
      const { orientation = 1 } = await openImage(bytes).metadata();
      return orientation > 1;
    },
    async scaled(bytes, pixels) {
      const { format, autoOrient } = await openImage(bytes).metadata();
      const factor = Math.min(1, Math.sqrt(pixels / (autoOrient.width * autoOrient.height)));
      const small = openImage(bytes)
        .autoOrient()
        .resize({ width: Math.max(1, Math.floor(autoOrient.width * factor)) });
      if (format === "jpeg") return copyBytes(await small.jpeg(jpeg).toBuffer());
      const { data, info } = await small.raw().toBuffer({ resolveWithObject: true });
      const raw = sharp(data, { raw: info });
      const hasAlpha = info.channels % 2 === 0;
      const flat = hasAlpha && (await raw.stats()).isOpaque ? raw.clone().removeAlpha() : raw;
      const png = await flat.clone().png().toBuffer();
      // PNG packs drawings and screenshots to far less than a byte a pixel, but never photos
      const isPhoto = (flat !== raw || !hasAlpha) && png.length >= info.width * info.height;
      return copyBytes(isPhoto ? await flat.jpeg(jpeg).toBuffer() : png);
    },
  };
}

/** Copies the bytes, because a Buffer may be a part of a larger one. */
function copyBytes(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes);
}
