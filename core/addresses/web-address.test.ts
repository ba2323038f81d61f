import fc from "fast-check";
import { expect, test } from "vitest";
import { addressWithoutFinalSlash, parseWebAddress } from "./web-address.ts";

test("reads plain addresses", () => {
  for (const [text, href] of [
    ["https://github.com/acme/sops.git", "https://github.com/acme/sops.git"],
    ["HTTPS://GitHub.com:443/Acme/", "https://github.com/Acme"],
    ["http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"],
    ["http://[::1]:3000", "http://[::1]:3000"],
    ["https://[2001:DB8:0::1]/a", "https://[2001:db8::1]/a"],
    ["https://xn--mller-kva.example/~a/@b/c:d%20e", "https://xn--mller-kva.example/~a/@b/c:d%20e"],
    ["https://a.example/x/../y", "https://a.example/y"],
  ] as const) {
    const url = parseWebAddress(text);
    expect([text, url && addressWithoutFinalSlash(url)]).toEqual([text, href]);
  }
});

test("refuses what two programs read differently", () => {
  for (const text of [
    "https://github.com\\@127.0.0.1:8443/x.git",
    "https://github.com@127.0.0.1/",
    "https://:@127.0.0.1/",
    "https://github.com\t.example/",
    " https://github.com/",
    "https://github.com/\n",
    "https:/github.com/",
    "https:\\\\github.com/",
    "https:github.com",
    "//github.com/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://127.0.0.1./",
    "https://github.com./",
    "https://git%68ub.com/",
    "https://ｇithub.com/",
    "https://github。com/",
    "https://müller.example/",
    "https://github.com:/x",
    "https://github.com:99999/",
    "https://github.com:443:80/",
    "https://[::1%25eth0]/",
    "https://[::1].example/",
    "https://github.com/?a=b",
    "https://github.com#@127.0.0.1/",
    "https://github.com/%zz",
    "https://xn--/",
    "ext::sh -c id",
    "file:///etc/passwd",
    "-uhttps://github.com/",
    "",
  ])
    expect([text, parseWebAddress(text)?.href]).toEqual([text, undefined]);
});

/** As curl and git find the host: behind the last `@` before the first slash, and nothing ends it but a slash, `?` or `#`. */
function hostOfCurl(text: string): { host: string; port: string } {
  const [, authority = ""] = /^[a-z]+:\/\/([^/?#]*)/i.exec(text) ?? [];
  const behind = authority.slice(authority.lastIndexOf("@") + 1);
  const [, host = "", port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(behind) ?? [];
  return { host: host.toLowerCase(), port };
}

const hosts = [
  "github.com",
  "127.0.0.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "2130706433",
  "0x7f000001",
  "127.1",
  "localhost",
];
const parsed = [
  "@",
  "\\",
  "/",
  ":",
  "?",
  "#",
  ".",
  "%40",
  "%5c",
  "%2f",
  "\t",
  "\n",
  "\r",
  " ",
  "[",
  "]",
  ";",
  "..",
  "\0",
];
const lookAlike = ["。", "＠", "／", "\u00ad", "\u200b", "ß", "xn--"];
const pieces = fc.constantFrom(...hosts, ...parsed, ...lookAlike, "443", "8443", "user", "a", "&", "=");
const addresses = fc
  .tuple(
    fc.constantFrom("https://", "http://", "HTTPS://", "https:/", "https:\\\\"),
    fc.array(pieces, { maxLength: 8 }),
  )
  .map(([scheme, parts]) => scheme + parts.join(""));

test("an accepted address has one host and port, before and after it is parsed, for every reader", () => {
  let accepted = 0;
  fc.assert(
    fc.property(addresses, (text) => {
      const url = parseWebAddress(text);
      if (url === null) return;
      accepted += 1;
      expect([url.username, url.password, url.search, url.hash]).toEqual(["", "", "", ""]);
      const written = hostOfCurl(text);
      const anew = hostOfCurl(url.href);
      expect({ ...anew, text }).toEqual({ host: url.hostname, port: url.port, text });
      expect(parseWebAddress(written.host === "" ? "" : `https://${written.host}`)?.hostname).toBe(url.hostname);
      expect(Number(written.port || 0) || (url.protocol === "https:" ? 443 : 80)).toBe(
        Number(url.port) || (url.protocol === "https:" ? 443 : 80),
      );
      // parsing what was parsed changes nothing, so that it can be stored
      expect(parseWebAddress(url.href)?.href).toBe(url.href);
      expect(parseWebAddress(addressWithoutFinalSlash(url))?.origin).toBe(url.origin);
    }),
    { numRuns: 3_000, seed: 34 },
  );
  expect(accepted).toBeGreaterThan(20);
});
