import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "#core/errors.ts";
import { frontMatterDifferences } from "../../test/faithful/front-matter.ts";
import { fileTextOf, extraKeyOf, parseFrontMatter, splitFrontMatter, type FrontMatter } from "./front-matter.ts";

const whole = `---
sop: "SOP-0042"
id: "0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10"
version: 3
title: "Reset a user password: service desk"
description: "How the service desk resets a password."
owner: "grace.hopper"
team: "service-desk"
tags:
  - "access"
satisfies:
  - "ISO27001:A.5.17"
effective: "2026-12-01"
review_by: "2027-12-01"
read_minutes: 5
template: false
ai_generated: false
lang: "en"
x-acronym: "RUP"
x-keywords:
  - "a"
  - "b: c"
---

## Purpose

Text.
`;

function read(file: string): { front: FrontMatter; body: string } {
  const { raw, body } = splitFrontMatter(file);
  return { front: parseFrontMatter(raw ?? ""), body };
}

describe("format v1", () => {
  it("emits what it read, byte for byte", () => {
    const { front, body } = read(whole);
    expect(front.version).toBe(3);
    expect(front.effective).toBe("2026-12-01");
    expect(fileTextOf(front, body)).toBe(whole);
  });

  it("puts keys into the order of the format and leaves empty ones out", () => {
    const front: FrontMatter = { "x-b": 1, "x-a": true, title: "T", tags: [], owner: "", version: 1 };
    expect(fileTextOf(front, "Body.\n")).toBe('---\nversion: 1\ntitle: "T"\nx-a: true\nx-b: 1\n---\n\nBody.\n');
  });

  it("reads back every value it can hold", () => {
    const text = fc
      .oneof(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.string({ unit: "binary", minLength: 1 }),
        fc
          .array(
            fc.constantFrom(
              ..."\n|---|...|# |: |- |\t|\r|\0|\u0085|\u2028|\uFEFF|\uD800|\\|\"|'|010|1.10|null|~|*a|&a|!x".split("|"),
            ),
            { minLength: 1 },
          )
          .map((parts) => parts.join("")),
      )
      .map((value) => value.normalize("NFC"));
    const extra = fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { minLength: 1 }));
    const arbitrary = fc.record(
      {
        title: text,
        description: text,
        tags: fc.array(text, { minLength: 1 }),
        version: fc.integer({ min: 1 }),
        template: fc.boolean(),
        "x-some": extra,
        "x-other": extra,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(arbitrary, (front) => {
        expect(read(fileTextOf(front, "Body.\n"))).toEqual({ front, body: "Body.\n" });
      }),
      { numRuns: 300 },
    );
  });
});

describe("splitFrontMatter", () => {
  it.each([
    ["no front matter", "# Hello\n\n---\n\nMore", null, "# Hello\n\n---\n\nMore", 1],
    ["byte order mark and CRLF", "\uFEFF---\r\ntitle: x\r\n---\r\n\r\nBody\r\n", "title: x", "Body\n", 5],
    ["never closed", "---\ntitle: x\n", null, "---\ntitle: x\n", 1],
    ["closed by dots", "---\na: 1\n...\nBody", "a: 1", "Body", 4],
    ["empty", "---\n---\nBody", "", "Body", 3],
    ["a longer rule", "----\na: 1\n----\n", null, "----\na: 1\n----\n", 1],
  ])("%s", (_, text, raw, body, bodyLine) => {
    expect(splitFrontMatter(text)).toEqual({ raw, body, bodyLine });
  });

  it.each(["---js\n({})\n---\n", "--- javascript\n({})\n---\n", "---json\n{}\n---\n", "---toml\n---\n"])(
    "refuses %j",
    (text) => {
      expect(() => splitFrontMatter(text)).toThrow(/not read. Write it as YAML/);
    },
  );
});

describe("parseFrontMatter", () => {
  it("keeps dates as text, unknown keys under x- names, and drops what is empty", () => {
    expect(
      parseFrontMatter(
        "effective: 2026-10-01\nMaturity Level: 2\nmaturity_level: 3\nratio: 0.5\nnothing:\nlist: [1, a]\nx-own: yes",
      ),
    ).toEqual({
      effective: "2026-10-01",
      "x-maturity-level": 2,
      "x-maturity-level-2": 3,
      "x-ratio": "0.5",
      "x-list": ["1", "a"],
      "x-own": "yes",
    });
  });

  it("keeps numbers and truths as they are written, and reads them where a key needs them", () => {
    expect(
      parseFrontMatter(
        "version: 03\ntitle: 001999\ntags: [010, 1.10]\nread_minutes: 5\ntemplate: TRUE\nx-a: 1.10\nx-b: 12345678901234567890\nx-c: 7\nx-d: True\nx-e: true\nx-f: [1.10, {g: 08}]\n0x1F: .inf",
      ),
    ).toEqual({
      version: 3,
      title: "001999",
      tags: ["010", "1.10"],
      read_minutes: 5,
      template: true,
      "x-a": "1.10",
      "x-b": "12345678901234567890",
      "x-c": 7,
      "x-d": "True",
      "x-e": true,
      "x-f": '["1.10",{"g":"08"}]',
      "x-0x1f": ".inf",
    });
  });

  it("follows anchors and texts of several lines", () => {
    expect(
      parseFrontMatter("x-a: &limit 1.10\nx-b: *limit\nx-c: |\n  One\n  Two\nx-d: >-\n  One\n  Two\nx-e: One\n  Two"),
    ).toEqual({ "x-a": "1.10", "x-b": "1.10", "x-c": "One\nTwo\n", "x-d": "One Two", "x-e": "One Two" });
  });

  it("stores the text that was written, for random values", () => {
    expect(frontMatterDifferences(1, 150)).toEqual([]);
  });

  it.each([
    ["title: a\nlist: [a,\n\nb: ]", 5],
    ["a: 1\na: 2", 3],
    ["title: x\nwrong", 3],
  ])("names the line of %j", (raw, line) => {
    expect(caught(() => parseFrontMatter(raw))).toMatchObject({ code: "invalid_input", details: { line } });
  });

  it.each([
    ["version: v1", "version", "version: v1 can't be read. Write a whole number"],
    ["version: 1.0", "version", "version: 1.0 can't be read. Write a whole number"],
    ['version: "1"', "version", 'version: "1" can\'t be read. Write a whole number, without quotes'],
    ["read_minutes: '5'", "read_minutes", 'read_minutes: "5" can\'t be read. Write a whole number, without quotes'],
    ["title: {a: 1}", "title", 'title: {"a":1} can\'t be read. Write a text'],
    ["template: perhaps", "template", "template: perhaps can't be read. Write true or false"],
    ['template: "true"', "template", 'template: "true" can\'t be read. Write true or false, without quotes'],
    ["template: 1", "template", "template: 1 can't be read. Write true or false"],
    ["tags: {a: 1}", "tags", 'tags: {"a":1} can\'t be read. Write a list of texts'],
  ])("names the key of %j, its value and what to write", (raw, key, message) => {
    expect(caught(() => parseFrontMatter(raw))).toMatchObject({ code: "invalid_input", details: { key }, message });
  });

  it("stops alias bombs, deep nesting and size", () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]",
      "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]",
    ];
    for (const raw of [bomb.join("\n"), `a: ${"[".repeat(20_000)}`, `a: ${"x".repeat(70_000)}`]) {
      expect(caught(() => parseFrontMatter(raw))).toMatchObject({ code: "invalid_input" });
    }
  });

  it("never lets a key reach the prototype", () => {
    const front = parseFrontMatter("__proto__: {title: bad}\nconstructor: x");
    expect(front.title).toBeUndefined();
    expect(front["x-constructor"]).toBe("x");
    expect(extraKeyOf("__proto__")).toBe("x-proto");
  });
});

function caught(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
