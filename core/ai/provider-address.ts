/** Where keys and texts may travel to: https, this machine, and hosts that the operator lists for plain http. */

/** `ollama:11434, 10.0.0.5` @returns null if it can't be read */
export function parseHttpHosts(text: string): string[] | null {
  const hosts = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return hosts.every((host) => !host.includes("*") && URL.parse(`http://${host}`)?.host === host.replace(/:80$/, ""))
    ? hosts
    : null;
}

/** @param httpHosts with a port: that one alone; without: every port of the host */
export function isAllowedAddress(address: URL, httpHosts: readonly string[], isOwnMachine: boolean): boolean {
  if (address.protocol === "https:") return true;
  if (address.protocol !== "http:") return false;
  const withPort = `${address.hostname}:${address.port || "80"}`;
  return isOwnMachine || httpHosts.includes(address.hostname) || httpHosts.includes(withPort);
}
