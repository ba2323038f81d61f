/** Makes the QR code on printed SOPs, which leads to the SOP on the screen. */
import { encode } from "uqr";

export interface QrCode {
  /** The number of modules on a side, with the white border that scanners need. */
  size: number;
  /** All dark modules as an SVG path. The SVG has the size `size`. */
  path: string;
}

/** The width of the white border in modules, by the standard. */
const border = 4;

export function createQrCode(text: string): QrCode {
  const { size, data } = encode(text, { ecc: "M", border });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dark.join("") };
}

export function createQrSvg(text: string): string {
  const { size, path } = createQrCode(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}" shape-rendering="crispEdges"><path d="${path}"/></svg>`;
}
