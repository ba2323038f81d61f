/**
 * Writes a number in the format of a list. For an unsupported format, such as words, it adds the name of the format.
 */
export function writtenNumber(number: number, format: string): string {
  switch (format) {
    case "decimalZero":
      return String(number).padStart(2, "0");
    case "lowerLetter":
      return letters(number);
    case "upperLetter":
      return letters(number).toUpperCase();
    case "lowerRoman":
      return roman(number).toLowerCase();
    case "upperRoman":
      return roman(number);
    case "none":
      return "";
    case "decimal":
      return String(number);
    default:
      return `${number} (${format})`;
  }
}

/** Word continues after z with aa, bb. */
function letters(number: number): string {
  return number < 1 ? "" : String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
}

const romans = Object.entries({
  M: 1000,
  CM: 900,
  D: 500,
  CD: 400,
  C: 100,
  XC: 90,
  L: 50,
  XL: 40,
  X: 10,
  IX: 9,
  V: 5,
  IV: 4,
  I: 1,
});

function roman(number: number): string {
  let left = Math.min(number, 3999);
  return romans
    .map(([sign, value]) => {
      const times = Math.floor(left / value);
      left -= times * value;
      return sign.repeat(times);
    })
    .join("");
}
