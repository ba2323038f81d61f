/** Addresses that open on other devices than this one. */

/** Does the name lead to the machine itself: on any other device it opens nothing. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost$|127\.|0\.0\.0\.0$|\[::1?\]$)/.test(hostname);
}

/**
 * Of an SOP, for paper and other devices: null where both addresses are those of one machine alone.
 * @param here what the browser's address bar shows
 * @param server what the server knows itself by; anything that isn't a URL counts as unknown
 */
export function paperAddress(here: Pick<URL, "origin" | "hostname">, number: string, server = ""): string | null {
  const known = URL.canParse(server) ? [here, new URL(server)] : [here];
  const found = known.find(({ hostname }) => !isThisMachine(hostname));
  return found ? `${found.origin}/sop/${number}` : null;
}
