import { expect, test } from "vitest";
import { addressesOf, isPublic, mirrorAddress, parseMirrorHosts } from "./hosts.ts";

const hosts = parseMirrorHosts("github.com, git.example.org:8443 git.internal=10.0.0.5, http://127.0.0.1:3001") ?? [];
const finds =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address }));

test("reads hosts with ports and addresses, and plain http for this machine alone", () => {
  expect(hosts).toEqual([
    { origin: "https://github.com", address: null },
    { origin: "https://git.example.org:8443", address: null },
    { origin: "https://git.internal", address: "10.0.0.5" },
    { origin: "http://127.0.0.1:3001", address: null },
  ]);
  expect(parseMirrorHosts("off")).toEqual([]);
  for (const wrong of [
    "http://github.com",
    "ssh://github.com",
    "github.com/path",
    "https://user@github.com",
    "github.com=nowhere",
    "git.internal=10.0.0.5=10.0.0.6",
    "http://10.0.0.5",
    "*",
    "",
  ]) {
    expect([wrong, parseMirrorHosts(wrong)]).toEqual([wrong, null]);
  }
});

test("takes addresses on listed hosts, with their scheme and port", () => {
  for (const right of [
    "https://github.com/acme/sops.git",
    "https://GITHUB.com/acme/sops",
    "https://github.com:443/acme/sops",
    "https://git.example.org:8443/sops.git",
    "http://127.0.0.1:3001/sops.git",
  ]) {
    expect(mirrorAddress(right, hosts).href, right).toBe(right.toLowerCase().replace(":443", ""));
  }
  for (const [wrong, why] of [
    ["http://github.com/acme/sops.git", "allows"],
    ["https://git.example.org/sops.git", "allows"],
    ["https://github.com.evil.example/acme/sops", "allows"],
    ["https://github.com@evil.example/acme/sops", "own fields"],
    ["https://x:token@github.com/acme/sops", "own fields"],
    ["https://169.254.169.254/latest/meta-data", "allows"],
    ["https://2852039166/latest", "as for git clone"],
    ["http://127.0.0.1:3002/sops.git", "allows"],
    ["http://[::1]:3001/sops.git", "allows"],
    ["https://github.com", "as for git clone"],
    ["https://github.com/a?b=c", "as for git clone"],
    ["https://github.com/a b", "as for git clone"],
    ["git@github.com:acme/sops.git", "https://"],
    ["ssh://git@github.com/acme/sops.git", "https://"],
    ["file:///etc/passwd", "https://"],
    ["ext::sh -c id", "https://"],
  ] as const) {
    expect(() => mirrorAddress(wrong, hosts), wrong).toThrow(why);
  }
  expect(() => mirrorAddress("https://github.com/acme/sops", [])).toThrow("allows no mirrors");
});

test("refuses a listed name that leads to a private address, even beside a public one", async () => {
  const url = "https://github.com/acme/sops.git";
  expect(await addressesOf(url, hosts, finds("140.82.121.4", "2606:50c0:8000::154"))).toEqual([
    "140.82.121.4",
    "2606:50c0:8000::154",
  ]);
  for (const address of ["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00::1", "::ffff:10.0.0.1"]) {
    await expect(addressesOf(url, hosts, finds("140.82.121.4", address))).rejects.toThrow("private address");
  }
  await expect(addressesOf(url, hosts, finds())).rejects.toThrow("no address");
});

test("uses the operator's address without a question to the name service", async () => {
  const never = () => Promise.reject(new Error("asked"));
  expect(await addressesOf("https://git.internal/sops.git", hosts, never)).toEqual(["10.0.0.5"]);
  expect(await addressesOf("http://127.0.0.1:3001/sops.git", hosts, never)).toEqual(["127.0.0.1"]);
});

test("plain http leads nowhere but to this machine", async () => {
  const local = parseMirrorHosts("http://localhost:3001") ?? [];
  const url = "http://localhost:3001/sops.git";
  expect(await addressesOf(url, local, finds("127.0.0.1", "::1"))).toEqual(["127.0.0.1", "::1"]);
  await expect(addressesOf(url, local, finds("93.184.216.34"))).rejects.toThrow("not this machine");
});

test("knows addresses of the public internet", () => {
  for (const address of ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::1"]) {
    expect([address, isPublic(address)]).toEqual([address, true]);
  }
  for (const address of [
    "0.0.0.0",
    "100.64.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "198.19.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::ffff:192.168.1.1",
    "64:ff9b::a00:1",
    "fe80::1",
    "ff02::1",
    "2001:db8::1",
    "2002:a00:1::",
    "localhost",
  ]) {
    expect([address, isPublic(address)]).toEqual([address, false]);
  }
});
