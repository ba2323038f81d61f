import { expect, test } from "vitest";
import { addressForOthers, linkForOthers } from "./other-devices.ts";
import { createQrCode, createQrSvg } from "./qr-code.ts";

test("a QR code is black modules in a white border of four", () => {
  const { size, path } = createQrCode("https://sop.example.org/sop/SOP-0042");
  // version 3 has 29 modules
  expect(size).toBe(29 + 2 * 4);
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x},${y}`));
  const row = (y: number) => Array.from({ length: size }, (_, x) => (dark.has(`${x},${y}`) ? "#" : ".")).join("");
  for (const y of [0, 1, 2, 3, size - 1]) expect(row(y)).toBe(".".repeat(size));
  // the corner that readers look for
  expect(row(4)).toMatch(/^\.{4}#######\..*\.#######\.{4}$/);
  expect(row(5)).toMatch(/^\.{4}#\.{5}#/);
  expect(createQrSvg("a")).toMatch(/^<svg [^<]+><path d="M[^<"]+"\/><\/svg>$/);
});

test("an address of one machine alone is for no paper", () => {
  const of = (origin: string) => addressForOthers(new URL(origin), "SOP-0042");
  expect(["http://localhost:3000", "http://127.0.0.1:1", "http://[::1]:1"].map(of)).toEqual([null, null, null]);
  const known = (server: string) => addressForOthers(new URL("http://localhost:3000"), "SOP-0042", server);
  expect(known("https://sops.example.org")).toBe("https://sops.example.org/sop/SOP-0042");
  expect(["", "http://localhost:3000", "http://0.0.0.0:3000", "http://[::]:3000"].map(known)).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(of("http://192.168.1.5:3000")).toBe("http://192.168.1.5:3000/sop/SOP-0042");
  expect(of("https://localhost.example.org")).toBe("https://localhost.example.org/sop/SOP-0042");
});

test("a link for other people has the server's own address, then the browser's", () => {
  const link = "/register?invite=t";
  const of = (here: string, server: string) => [
    linkForOthers(new URL(here), link, server).href,
    linkForOthers(new URL(here), server === "" ? link : server + link).href,
  ];
  const [local, lan, known] = ["http://localhost:3000", "http://192.168.1.5:3000", "https://sops.example.org"];
  const both = (origin: string) => [origin + link, origin + link];
  expect(of(local, known)).toEqual(both(known));
  expect(of(lan, known)).toEqual(both(known));
  expect(of(lan, local)).toEqual(both(lan));
  expect(of(lan, "")).toEqual(both(lan));
  expect(of("http://127.0.0.1:3000", local)).toEqual(both("http://127.0.0.1:3000"));
});
