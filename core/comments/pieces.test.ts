import fc from "fast-check";
import { expect, test } from "vitest";
import { commentPiecesOf } from "./pieces.ts";

const anna = { username: "anna", name: "Anna Archer" };
const link = (text: string) => ({ kind: "link", text, href: text });

test("addresses are links, without what ends the sentence around them", () => {
  expect(commentPiecesOf("See https://example.org/a?b=1&c=2#d.", [])).toEqual([
    { kind: "text", text: "See " },
    link("https://example.org/a?b=1&c=2#d"),
    { kind: "text", text: "." },
  ]);
  expect(commentPiecesOf("(http://example.org/x_(y))!", [])[1]).toEqual(link("http://example.org/x_(y)"));
  expect(commentPiecesOf(`https://x.org/(a)${")".repeat(9_000)}`, [])[0]).toEqual(link("https://x.org/(a)"));
  expect(commentPiecesOf("https://example.org/@anna", [anna])).toEqual([link("https://example.org/@anna")]);
});

test("nothing but the web's own addresses is one", () => {
  for (const body of [
    "javascript:alert(1)",
    "https://",
    "data:text/html,x",
    "<a href=x>",
    "www.example.org",
    "//x.y",
  ]) {
    expect(commentPiecesOf(body, [])).toEqual([{ kind: "text", text: body }]);
  }
});

test("marks names that belong to a user", () => {
  expect(commentPiecesOf("@Anna. and @bob", [anna])).toEqual([
    { kind: "mention", text: "@Anna", name: "Anna Archer" },
    { kind: "text", text: ". and @bob" },
  ]);
});

test("no character is lost or added", () => {
  const part = fc.oneof(fc.string(), fc.constantFrom("@anna", "@anna.", " ", "\n", "https://x.org/", "(", ")", "."));
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const body = parts.join("");
      const pieces = commentPiecesOf(body, [anna]);
      expect(pieces.map(({ text }) => text).join("")).toBe(body);
      for (const piece of pieces) if (piece.kind === "link") expect(piece.href).toMatch(/^https?:\/\//i);
    }),
  );
});
