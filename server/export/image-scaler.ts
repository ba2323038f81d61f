/** Scales images down. Only this file uses the image library. */
import { limits } from "#core/limits.ts";

export interface ImageScaler {
  /** Says whether the image's EXIF data rotates or mirrors it. */
  isTurned(bytes: Uint8Array): Promise<boolean>;
  /**
   * Creates a copy of the image: rotated as its EXIF data says, in sRGB, with at most `pixels`. A JPEG stays a JPEG;
   * other images become PNG, or JPEG if they are photos. Only the first frame of an animation is used. Rejects if the
   * image can't be decoded.
   */
  scaled(bytes: Uint8Array, pixels: number): Promise<Uint8Array>;
}

const jpeg = { quality: 85 };
const readers = ["Jpeg", "Png", "Webp", "Nsgif"].map((one) => `VipsForeignLoad${one}`);

/** Loads the image library. Rejects if it has no build for this machine. */
export async function openImageScaler(): Promise<ImageScaler> {
  const { default: sharp } = await import("sharp");
  // no cache, because each image is read once; one thread, because several documents already share the processors
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: readers });
  // decode a truncated image as far as possible
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
      // PNG compresses drawings and screenshots to far less than a byte per pixel, but photos to more
      const isPhoto = (flat !== raw || !hasAlpha) && png.length >= info.width * info.height;
      return copyBytes(isPhoto ? await flat.jpeg(jpeg).toBuffer() : png);
    },
  };
}

/** Copies the bytes, because a Buffer can be part of a larger buffer. */
function copyBytes(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes);
}
