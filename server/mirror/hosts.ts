/** The places of mirrors: a repository at a host that the operator lists (MIRROR_HOSTS). */
import { parseWebAddress } from "#core/addresses/web-address.ts";
import { listedHostOf, RemoteProblem, type OutgoingHost } from "../outgoing/addresses.ts";

/**
 * The address of a repository that can be a mirror. Git gets this address and not the entered text.
 *
 * @throws RemoteProblem with advice on what to enter
 */
export function mirrorAddress(text: string, hosts: readonly OutgoingHost[]): URL {
  const url = parseWebAddress(text);
  if (url === null || url.pathname === "/") throw new RemoteProblem(formFault(text));
  if (!listedHostOf(url, hosts)) throw new RemoteProblem(hostFault(hosts));
  return url;
}

function formFault(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "Enter an address that begins with https://";
  if (url.username !== "" || url.password !== "") return "Enter username and token in their own fields";
  return "Enter the address as for git clone";
}

function hostFault(hosts: readonly OutgoingHost[]): string {
  const names = hosts.map(({ origin }) => origin.replace("https://", ""));
  if (names.length === 0) return "The operator of this server allows no mirrors (MIRROR_HOSTS)";
  return `The operator of this server allows ${names.join(", ")} (MIRROR_HOSTS)`;
}
