/** Checks the address of a mirror: a repository at a host that the operator lists (MIRROR_HOSTS). */
import { parseWebAddress } from "#core/addresses/web-address.ts";
import { listedHostOf, RemoteProblem, type OutgoingHost } from "../outgoing/addresses.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { refusals } from "./refusals.ts";

/**
 * Parses the address of a repository that can be a mirror. Git gets the parsed address and not the entered text.
 *
 * @throws RemoteProblem with advice on what to enter
 */
export function parseMirrorAddress(text: string, hosts: readonly OutgoingHost[]): URL {
  const url = parseWebAddress(text);
  if (url === null || url.pathname === "/") throw new RemoteProblem(addressFormFault(text));
  if (!listedHostOf(url, hosts)) throw new RemoteProblem(unlistedHostFault(hosts));
  return url;
}

function addressFormFault(text: string): MessageWithId {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return refusals.httpsNeeded();
  if (url.username !== "" || url.password !== "") return refusals.ownFields();
  return refusals.cloneAddress();
}

function unlistedHostFault(hosts: readonly OutgoingHost[]): MessageWithId {
  const names = hosts.map(({ origin }) => origin.replace("https://", ""));
  if (names.length === 0) return refusals.noMirrorsAllowed();
  return refusals.allowedHosts({ hosts: names.join(", ") });
}
