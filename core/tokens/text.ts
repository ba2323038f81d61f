/**
 * A token has the form `sop_pat_` + 43 base62 characters + 6 of checksum. Secret scanners recognize the prefix, and the
 * checksum detects a typo without a database query.
 */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const tokenPattern = /^sop_pat_[0-9A-Za-z]{49}$/;

/** Creates the text of a new token. @param bytes at least 43 random bytes; bytes above 247 are skipped @throws Error for too few */
export function createTokenText(bytes: Uint8Array): string {
  let body = "";
  for (const byte of bytes) {
    // 248 = 4 × 62: larger bytes would make some characters more likely
    if (byte < 248 && body.length < 43) body += alphabet[byte % 62];
  }
  if (body.length < 43) throw new Error("createTokenText needs more random bytes");
  return `sop_pat_${body}${tokenChecksum(body)}`;
}

/** Tells whether a text has the form and the checksum of a token. The token may not exist. */
export function isWellFormedToken(text: string): boolean {
  return tokenPattern.test(text) && tokenChecksum(text.slice(8, 51)) === text.slice(51);
}

/** Returns a CRC-32 in base62. It detects typos, and doesn't protect against forged tokens. */
function tokenChecksum(text: string): string {
  let crc = 0xffffffff;
  for (const char of text) {
    crc ^= char.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
