/**
 * Parses the address of another server once. Programs read odd addresses differently: for `https://one\@two/`, browsers
 * connect to `one` and curl to `two`. So this module refuses odd forms, and the server stores and uses the parsed
 * address.
 */

/**
 * An address has a scheme, a host name or number, a port and a path. It has no user name, password or query, and no
 * character outside of RFC 3986.
 */
const form =
  /^https?:\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?(?:\/(?:[a-z0-9._~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*)?$/i;

/** @returns null for a text that two programs could read differently; use the result's `href` */
export function parseWebAddress(text: string): URL | null {
  const [, host = ""] = form.exec(text) ?? [];
  const url = host === "" ? null : URL.parse(text);
  // a number such as 2130706433 or 0x7f.1 is an address in disguise
  const isAsWritten = host.startsWith("[") || url?.hostname === host.toLowerCase();
  return isAsWritten ? url : null;
}

/** @returns the address without a slash at its end, so that callers can append paths */
export function baseAddress(url: URL): string {
  return url.href.replace(/\/+$/, "");
}
