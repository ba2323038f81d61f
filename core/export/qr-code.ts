/** The QR code on paper that leads to the SOP on screen. */
import { encode } from "uqr";

export interface QrCode {
  /** Modules on a side, with the white border that readers need. */
  size: number;
  /** All dark modules, as the path of an SVG of that size. */
  path: string;
}

/** White modules around it, by the standard. */
const border = 4;

export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { ecc: "M", border });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dark.join("") };
}

/** The same as a file. */
export function qrSvg(text: string): string {
  const { size, path } = qrCode(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}" shape-rendering="crispEdges"><path d="${path}"/></svg>`;
}
