import { BlockList, isIP } from "node:net";

/**
 * Returns the network that counts as one client: for IPv4 the address itself, for IPv6 a /56, which RIPE-690 recommends
 * for a household. Providers that assign a /64 would put only a few neighbors into a /56, but a /48 would put whole
 * streets into one.
 */
export function networkPrefix(address: string): string {
  const plain = addressWithoutPort(address);
  if (!plain.includes(":")) return plain;
  const [head = "", tail = ""] = plain.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const [one, two, three, four = "0"] = [...left, ...zeros, ...right];
  return [one, two, three, (Number.parseInt(four, 16) & 0xff00).toString(16)].join(":");
}

/** A network in an operator's list. */
export interface NamedNetwork {
  address: string;
  /** The number of leading bits that all addresses of the network have in common. */
  prefix: number;
}

/**
 * Parses a list of networks.
 * @param text such as "203.0.113.7, 10.20.0.0/16, 2001:db8::/32"
 * @returns null if an entry isn't a network
 */
export function parseNetworks(text: string): readonly NamedNetwork[] | null {
  const networks: NamedNetwork[] = [];
  for (const part of text.split(",").map((one) => one.trim())) {
    if (part === "") continue;
    const [, address = "", bits] = /^([\d.a-f:]+)(?:\/(\d{1,3}))?$/i.exec(part) ?? [];
    const version = isIP(address);
    const longest = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? longest : Number(bits);
    // a shorter prefix would cover much of the internet and so switch the limits off. An IPv4 network in IPv6 form is
    // checked as IPv4
    const least = version === 6 ? 16 : 8;
    if (version === 0 || prefix > longest || prefix < least || /^::ffff:/i.test(address)) return null;
    networks.push({ address, prefix });
  }
  return networks;
}

const lists = new WeakMap<readonly NamedNetwork[], BlockList>();

function blockListOf(networks: readonly NamedNetwork[]): BlockList {
  const known = lists.get(networks);
  if (known) return known;
  const list = new BlockList();
  lists.set(networks, list);
  for (const { address, prefix } of networks) list.addSubnet(address, prefix, addressFamily(address));
  return list;
}

export function isInNetworks(address: string, networks: readonly NamedNetwork[]): boolean {
  const plain = addressWithoutPort(address);
  return isIP(plain) !== 0 && blockListOf(networks).check(plain, addressFamily(plain));
}

const addressFamily = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

function addressWithoutPort(address: string): string {
  // some proxies add the client's port, which differs for each connection
  const bare = /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
  const one = isIP(bare) === 6 ? normalizeAddress(bare) : bare;
  return one.replace(/^::ffff:(?=\d+\.)/i, "");
}

/**
 * Returns the normal form of an address: lowercase, no leading zeros, the longest run of zeros left out, IPv4 with
 * dots.
 */
function normalizeAddress(address: string): string {
  const text = URL.parse(`http://[${address.replace(/%.*$/, "")}]`)?.hostname.slice(1, -1) ?? address;
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return text;
  const bytes = [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]);
  return `::ffff:${bytes.join(".")}`;
}
