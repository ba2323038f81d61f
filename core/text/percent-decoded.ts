/** Decodes the percent escapes of an address: `a%20b` → `a b`. Returns an address with invalid escapes unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
