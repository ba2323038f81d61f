/**
 * Parses the address of another server once. Programs read odd addresses differently: for `https://one\@two/`, browsers
 * connect to `one` and curl to `two`. So this module refuses odd forms, and the server stores and uses the parsed
 * address.
 */

/**
 * Matches an address of a scheme, a host, a port and a path, without user name, password or query, and only with
 * characters of RFC 3986.
 */
const form =
  /^https?:\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?(?:\/(?:[a-z0-9._~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*)?$/i;

/**
 * Parses a web address. Callers must use `href` of the result. @returns null for a text that is no web address, or that
 * two programs could read differently
 */
export function parseWebAddress(text: string): URL | null {
  const [, host = ""] = form.exec(text) ?? [];
  const url = host === "" ? null : URL.parse(text);
  // a number such as 2130706433 or 0x7f.1 is an address in disguise
  const isAsWritten = host.startsWith("[") || url?.hostname === host.toLowerCase();
  return isAsWritten ? url : null;
}

/** Returns the address without a slash at its end, so that callers can append paths. */
export function addressWithoutFinalSlash(url: URL): string {
  return url.href.replace(/\/+$/, "");
}
