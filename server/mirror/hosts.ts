/**
 * Where a mirror may be: hosts that the operator lists (MIRROR_HOSTS), at addresses of the public internet. The address
 * is looked up once and then used, so that a name can't lead elsewhere a moment later.
 */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { parseWebAddress } from "#core/addresses/web-address.ts";

export interface MirrorHost {
  /** `https://git.example.org`, with its port if it isn't 443. */
  origin: string;
  /** The operator gives the address, which can be a private one; null: it is looked up. */
  address: string | null;
}

export const defaultMirrorHosts = "github.com, gitlab.com, codeberg.org";

/** Is the host this machine? */
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * `github.com, git.example.org:8443, git.internal=10.0.0.5`; `off` lists none. Plain http is for this machine alone:
 * `http://127.0.0.1:3001`.
 * @returns null if it can't be read
 */
export function parseMirrorHosts(text: string): MirrorHost[] | null {
  if (text.trim() === "off") return [];
  const hosts = text.split(/[\s,]+/).filter(Boolean);
  const parsed = hosts.map(parseHost);
  return parsed.length > 0 && parsed.every((host) => host !== null) ? parsed : null;
}

function parseHost(entry: string): MirrorHost | null {
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

/** The remote can't be used; the message is for the company's administrators. */
export class MirrorProblem extends Error {}

/**
 * The address of a repository that can be a mirror. Git gets this one, not the text that was entered.
 *
 * @throws MirrorProblem that says what to enter
 */
export function mirrorAddress(text: string, hosts: readonly MirrorHost[]): URL {
  const url = parseWebAddress(text);
  if (url === null || url.pathname === "/") throw new MirrorProblem(formFault(text));
  if (!hostOf(url, hosts)) throw new MirrorProblem(hostFault(hosts));
  return url;
}

function formFault(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "Enter an address that begins with https://";
  if (url.username !== "" || url.password !== "") return "Enter username and token in their own fields";
  return "Enter the address as for git clone";
}

function hostFault(hosts: readonly MirrorHost[]): string {
  const names = hosts.map(({ origin }) => origin.replace("https://", ""));
  if (names.length === 0) return "The operator of this server allows no mirrors (MIRROR_HOSTS)";
  return `The operator of this server allows ${names.join(", ")} (MIRROR_HOSTS)`;
}

function hostOf(url: URL, hosts: readonly MirrorHost[]): MirrorHost | undefined {
  return hosts.find(({ origin }) => origin === url.origin);
}

type Lookup = (name: string) => Promise<{ address: string }[]>;

/**
 * The addresses to connect to. Nothing else may be connected to for this URL.
 * @throws MirrorProblem
 */
export async function addressesOf(
  text: string,
  hosts: readonly MirrorHost[],
  find: Lookup = (name) => lookup(name, { all: true }),
): Promise<string[]> {
  const url = mirrorAddress(text, hosts);
  const host = hostOf(url, hosts);
  if (host?.address) return [host.address];
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const found = isIP(name) > 0 ? [{ address: name }] : await find(name).catch(() => []);
  if (found.length === 0) throw new MirrorProblem(`${url.hostname} has no address`);
  const isLocal = url.protocol === "http:";
  const wrong = found.find(({ address }) => (isLocal ? !isOfThisMachine(address) : !isPublic(address)));
  if (wrong && isLocal) throw new MirrorProblem(`${url.hostname} is not this machine`);
  if (wrong) throw new MirrorProblem(`${url.hostname} has a private address`);
  return found.map(({ address }) => address);
}

function family(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

function isOfThisMachine(address: string): boolean {
  return thisMachine.check(address, family(address));
}

/** IPv6 has one range for the internet; IPv4 has all that is not set aside. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIP(address) === 6 && !internet6.check(address, "ipv6")) return false;
  return !special.check(address, family(address));
}

const thisMachine = new BlockList();
thisMachine.addSubnet("127.0.0.0", 8);
thisMachine.addAddress("::1", "ipv6");

const internet6 = new BlockList();
internet6.addSubnet("2000::", 3, "ipv6");

/** IANA's registries of special-purpose addresses; IPv4 addresses in IPv6 count as what they hold. */
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
  special.addSubnet(network, Number(prefix), family(network));
}
