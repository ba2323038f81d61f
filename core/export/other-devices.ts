/** Makes addresses that also open on other devices. */

/** Tells whether a host name means this machine. On another device, such an address opens nothing. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost$|127\.|0\.0\.0\.0$|\[::1?\]$)/.test(hostname);
}

/**
 * Makes a link for other people: at the server's own address, or at the browser's if the server's address is unknown or
 * means one machine alone.
 * @param here the address in the browser
 * @param link a path, or a whole address that the server made
 * @param server the server's own address; a text that isn't a URL counts as unknown
 */
export function sharedLink(here: Pick<URL, "origin">, link: string, server = ""): URL {
  const url = new URL(link, URL.canParse(server) ? server : here.origin);
  return isThisMachine(url.hostname) ? new URL(url.pathname + url.search, here.origin) : url;
}

/**
 * Makes the link to an SOP for paper and other devices: null if both addresses mean one machine alone.
 * @param here the address in the browser
 * @param server the server's own address; a text that isn't a URL counts as unknown
 */
export function paperAddress(here: Pick<URL, "origin">, number: string, server = ""): string | null {
  const { hostname, href } = sharedLink(here, `/sop/${number}`, server);
  return isThisMachine(hostname) ? null : href;
}
