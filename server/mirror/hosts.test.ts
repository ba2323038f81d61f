import { expect, test } from "vitest";
import { parseHosts } from "../outgoing/addresses.ts";
import { parseMirrorAddress } from "./hosts.ts";

const hosts = parseHosts("github.com, git.example.org:8443 git.internal=10.0.0.5, http://127.0.0.1:3001") ?? [];

test("takes addresses on listed hosts, with their scheme and port", () => {
  for (const right of [
    "https://github.com/acme/sops.git",
    "https://GITHUB.com/acme/sops",
    "https://github.com:443/acme/sops",
    "https://git.example.org:8443/sops.git",
    "http://127.0.0.1:3001/sops.git",
  ]) {
    expect(parseMirrorAddress(right, hosts).href, right).toBe(right.toLowerCase().replace(":443", ""));
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
    expect(() => parseMirrorAddress(wrong, hosts), wrong).toThrow(why);
  }
  expect(() => parseMirrorAddress("https://github.com/acme/sops", [])).toThrow("allows no mirrors");
});
