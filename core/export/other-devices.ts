/** Addresses that open on other devices than this one. */

/** Does the name lead to the machine itself: on any other device it opens nothing. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost$|127\.|0\.0\.0\.0$|\[::1?\]$)/.test(hostname);
}

/**
 * A link for other people: at the server's own address, or at the browser's where the server knows itself as one machine.
 * @param here what the browser's address bar shows
 * @param link a path, or a whole address that the server made
 * @param server what the server knows itself by; anything that isn't a URL counts as unknown
 */
export function sharedLink(here: Pick<URL, "origin">, link: string, server = ""): URL {
  const url = new URL(link, URL.canParse(server) ? server : here.origin);
  return isThisMachine(url.hostname) ? new URL(url.pathname + url.search, here.origin) : url;
}

/**
 * Of an SOP, for paper and other devices: null where both addresses are those of one machine alone.
 * @param here what the browser's address bar shows
 * @param server what the server knows itself by; anything that isn't a URL counts as unknown
 */
export function paperAddress(here: Pick<URL, "origin">, number: string, server = ""): string | null {
  const { hostname, href } = sharedLink(here, `/sop/${number}`, server);
  return isThisMachine(hostname) ? null : href;
}
