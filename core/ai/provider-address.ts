/**
 * Decides where keys and texts may be sent: over https, to this machine, and to hosts that the operator allows for
 * plain http.
 */

/** Parses a list such as `ollama:11434, 10.0.0.5`. @returns null for an invalid list */
export function parseHttpHosts(text: string): string[] | null {
  const hosts = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return hosts.every((host) => !host.includes("*") && URL.parse(`http://${host}`)?.host === host.replace(/:80$/, ""))
    ? hosts
    : null;
}

/**
 * Tells whether keys and texts may be sent to an address.
 * @param httpHosts hosts allowed for plain http; a host without a port is allowed on every port
 */
export function isAllowedAddress(address: URL, httpHosts: readonly string[], isOwnMachine: boolean): boolean {
  if (address.protocol === "https:") return true;
  if (address.protocol !== "http:") return false;
  const withPort = `${address.hostname}:${address.port || "80"}`;
  return isOwnMachine || httpHosts.includes(address.hostname) || httpHosts.includes(withPort);
}
