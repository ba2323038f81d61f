/** A picture for a circle of 64 px at most is kept no larger than that needs, on dense screens too. */
const edge = 256;

/** The middle of a picture as a square of at most 256 px. @throws when the browser can't read the file as a picture */
export async function squarePicture(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file);
  try {
    const side = Math.min(picture.width, picture.height);
    const size = Math.min(side, edge);
    const canvas = new OffscreenCanvas(size, size);
    const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
    canvas.getContext("2d")?.drawImage(picture, left, top, side, side, 0, 0, size, size);
    return await canvas.convertToBlob({ type: "image/png" });
  } finally {
    picture.close();
  }
}
