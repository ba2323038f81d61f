import { safeHref } from "#core/markdown/links.ts";

const localPath = /^[#/?.]/;
const mailAddress = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/;
/** "localhost:3000/x" and "intranet:8080" are a host and a port, not a scheme. */
const hostAndPort = /^(?!tel:|sms:|callto:)[a-z0-9.-]+:\d+(?:[/?#]|$)/i;
const scheme = /^[a-z][a-z0-9+.-]*:/i;

/**
 * A typed link → the address to store: `www.example.org` gets the default protocol http,
 * `ann@example.org` becomes mailto, anchors and paths stay. Null when nothing was typed or the scheme is not allowed.
 */
export function completeAddress(typed: string): string | null {
  // browsers skip these while they read a scheme
  const address = typed.replace(/[\t\r\n]+/g, "").trim();
  if (address === "") return null;
  if (mailAddress.test(address)) return `mailto:${address}`;
  const known = localPath.test(address) || (scheme.test(address) && !hostAndPort.test(address));
  return safeHref(known ? address : `http://${address}`) ?? null;
}
