/** Makes addresses that also open on other devices. */

/**
 * Tells whether a host name, such as `localhost`, means this machine. Such an address doesn't work on another device.
 */
export function isLoopbackName(hostname: string): boolean {
  return /^(?:localhost$|127\.|0\.0\.0\.0$|\[::1?\]$)/.test(hostname);
}

/**
 * Returns a link for other people at the server's own address. If that address is unknown or only works on one machine,
 * the link gets the address in the browser.
 * @param here the address in the browser
 * @param link a path, or a whole address that the server made
 * @param server the server's own address; a text that isn't a URL counts as unknown
 */
export function linkForOthers(here: Pick<URL, "origin">, link: string, server = ""): URL {
  const url = new URL(link, URL.canParse(server) ? server : here.origin);
  return isLoopbackName(url.hostname) ? new URL(url.pathname + url.search, here.origin) : url;
}

/**
 * Returns the link to an SOP for paper and other devices; null if no known address works on other machines.
 * @param here the address in the browser
 * @param server the server's own address; a text that isn't a URL counts as unknown
 */
export function addressForOthers(here: Pick<URL, "origin">, number: string, server = ""): string | null {
  const { hostname, href } = linkForOthers(here, `/sop/${number}`, server);
  return isLoopbackName(hostname) ? null : href;
}
