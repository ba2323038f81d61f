import { safeHref } from "#core/markdown/links.ts";

const localPath = /^[#/?.]/;
const mailAddress = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/;
/** Matches a host with a port, such as "localhost:3000/x" or "intranet:8080", which is no scheme. */
const hostAndPort = /^(?!tel:|sms:|callto:)[a-z0-9.-]+:\d+(?:[/?#]|$)/i;
const scheme = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Completes a typed link to the address to store. `www.example.org` gets the default protocol http, `ann@example.org`
 * becomes mailto, anchors and paths stay. Returns null for an empty text or a scheme that isn't allowed.
 */
export function completeAddress(typed: string): string | null {
  // Browsers ignore these characters when they read a scheme.
  const address = typed.replace(/[\t\r\n]+/g, "").trim();
  if (address === "") return null;
  if (mailAddress.test(address)) return `mailto:${address}`;
  const known = localPath.test(address) || (scheme.test(address) && !hostAndPort.test(address));
  return safeHref(known ? address : `http://${address}`) ?? null;
}
