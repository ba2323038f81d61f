import { expect, test } from "vitest";
import { resolveAllowedAddresses, isPublicAddress, parseHosts } from "./addresses.ts";

const hosts = parseHosts("github.com, git.example.org:8443 git.internal=10.0.0.5, http://127.0.0.1:3001") ?? [];
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
  expect(parseHosts("off")).toEqual([]);
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
    expect([wrong, parseHosts(wrong)]).toEqual([wrong, null]);
  }
});

test("refuses a listed name that leads to a private address, even beside a public one", async () => {
  const url = "https://github.com/acme/sops.git";
  expect(await resolveAllowedAddresses(url, hosts, finds("140.82.121.4", "2606:50c0:8000::154"))).toEqual([
    "140.82.121.4",
    "2606:50c0:8000::154",
  ]);
  for (const address of ["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00::1", "::ffff:10.0.0.1"]) {
    await expect(resolveAllowedAddresses(url, hosts, finds("140.82.121.4", address))).rejects.toThrow(
      "private address",
    );
  }
  await expect(resolveAllowedAddresses(url, hosts, finds())).rejects.toThrow("no address");
});

test("asks for no address of a host that isn't listed", async () => {
  const never = () => Promise.reject(new Error("asked"));
  for (const url of ["https://example.com/", "http://github.com/", "https://github.com:8443/", "no address"])
    await expect(resolveAllowedAddresses(url, hosts, never)).rejects.toThrow("doesn't allow this address");
});

test("uses the operator's address without a question to the name service", async () => {
  const never = () => Promise.reject(new Error("asked"));
  expect(await resolveAllowedAddresses("https://git.internal/sops.git", hosts, never)).toEqual(["10.0.0.5"]);
  expect(await resolveAllowedAddresses("http://127.0.0.1:3001/sops.git", hosts, never)).toEqual(["127.0.0.1"]);
});

test("plain http leads nowhere but to this machine", async () => {
  const local = parseHosts("http://localhost:3001") ?? [];
  const url = "http://localhost:3001/sops.git";
  expect(await resolveAllowedAddresses(url, local, finds("127.0.0.1", "::1"))).toEqual(["127.0.0.1", "::1"]);
  await expect(resolveAllowedAddresses(url, local, finds("93.184.216.34"))).rejects.toThrow("not this machine");
});

test("knows addresses of the public internet", () => {
  for (const address of ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::1"]) {
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
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
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
  }
});
