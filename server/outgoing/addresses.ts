/**
 * Limits the hosts that the server connects to on behalf of a company: only hosts that the operator lists, at addresses
 * of the public internet. The address is looked up once and then used, so that a name can't lead elsewhere a moment
 * later.
 */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { parseWebAddress } from "#core/addresses/web-address.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { refusals } from "./refusals.ts";

export interface OutgoingHost {
  /** The origin, such as `https://git.example.org`, with its port if it isn't 443. */
  origin: string;
  /** The address that the operator entered, which can be private; null: the address is looked up. */
  address: string | null;
}

/** Matches names and addresses of this machine. */
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Parses a list such as `github.com, git.example.org:8443, git.internal=10.0.0.5`; `off` lists none. Plain http is
 * allowed only for this machine: `http://127.0.0.1:3001`.
 * @returns null if the list is invalid
 */
export function parseHosts(text: string): OutgoingHost[] | null {
  if (text.trim() === "off") return [];
  const hosts = text.split(/[\s,]+/).filter(Boolean);
  const parsed = hosts.map(parseHost);
  return parsed.length > 0 && parsed.every((host) => host !== null) ? parsed : null;
}

function parseHost(entry: string): OutgoingHost | null {
  const [name = "", address, ...more] = entry.split("=");
  const written = name.includes("://") ? name : `https://${name}`;
  const url = URL.parse(written);
  if (url === null || more.length > 0 || written.toLowerCase() !== url.origin || url.hostname.includes("*"))
    return null;
  const isLocal = url.protocol === "http:" && loopback.test(url.hostname);
  if (url.protocol !== "https:" && !isLocal) return null;
  if (address !== undefined && isIP(address) === 0) return null;
  return { origin: url.origin, address: address ?? null };
}

/** Thrown if the remote can't be used. The message is for the company's administrators. */
export class RemoteProblem extends Error {
  readonly sentence: MessageWithId;

  constructor(sentence: MessageWithId, options?: ErrorOptions) {
    super(sentence.text, options);
    this.sentence = sentence;
  }
}

/** Returns the listed host of the address; undefined if the host isn't listed. */
export function listedHostOf(url: URL, hosts: readonly OutgoingHost[]): OutgoingHost | undefined {
  return hosts.find(({ origin }) => origin === url.origin);
}

type Lookup = (name: string) => Promise<{ address: string }[]>;

/**
 * Returns the addresses to connect to for this URL. The caller must not use others.
 * @throws RemoteProblem
 */
export async function resolveAllowedAddresses(
  text: string,
  hosts: readonly OutgoingHost[],
  find: Lookup = (name) => lookup(name, { all: true }),
): Promise<string[]> {
  const url = parseWebAddress(text);
  const host = url === null ? undefined : listedHostOf(url, hosts);
  if (url === null || host === undefined) throw new RemoteProblem(refusals.addressNotAllowed());
  if (host.address !== null) return [host.address];
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const found = isIP(name) > 0 ? [{ address: name }] : await find(name).catch(() => []);
  if (found.length === 0) throw new RemoteProblem(refusals.noAddress({ host: url.hostname }));
  const isLocal = url.protocol === "http:";
  const wrong = found.find(({ address }) => (isLocal ? !isOfThisMachine(address) : !isPublicAddress(address)));
  if (wrong && isLocal) throw new RemoteProblem(refusals.otherMachine({ host: url.hostname }));
  if (wrong) throw new RemoteProblem(refusals.privateAddress({ host: url.hostname }));
  return found.map(({ address }) => address);
}

function ipVersion(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

function isOfThisMachine(address: string): boolean {
  return thisMachine.check(address, ipVersion(address));
}

/**
 * Says whether the address is in the public internet. IPv6 has one range for it. In IPv4, all ranges that aren't
 * reserved belong to it.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIP(address) === 6 && !internet6.check(address, "ipv6")) return false;
  return !special.check(address, ipVersion(address));
}

const thisMachine = new BlockList();
thisMachine.addSubnet("127.0.0.0", 8);
thisMachine.addAddress("::1", "ipv6");

const internet6 = new BlockList();
internet6.addSubnet("2000::", 3, "ipv6");

/** The ranges in IANA's registries of special-purpose addresses. An IPv4 address in IPv6 form counts as IPv4. */
const special = new BlockList();
for (const range of [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
]) {
  const [network = "", prefix] = range.split("/");
  special.addSubnet(network, Number(prefix), ipVersion(network));
}
