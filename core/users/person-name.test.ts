import { describe, expect, it } from "vitest";
import { personName } from "./person-name.ts";

const messageOf = (name: unknown) => {
  const { success, error } = personName.safeParse(name);
  return success ? null : error.issues[0]?.message;
};

describe("the name of a person", () => {
  it.each([
    "O'Brien",
    "D’Angelo",
    "Anne-Marie",
    "José",
    "Müller (QA)",
    "Ngô Đình Nguyệt",
    "李小龙 Bruce Lee",
    "山田 太郎",
    "スズキ・イチロー",
    "おだ のぶなが",
    "たなか花子",
    "김민준",
    "محمد بن سلمان",
    "علی‌رضا",
    "יוסי כהן",
    "בֵּן־גּוּרִיּוֹן",
    "Иван Петров",
    "Анна Müller",
    "Ελένη Παππά",
    "อำนาจ ใจดี",
    "श्रीमती क्‍षमा",
    "ශ්‍රී ලංකා",
    "தமிழ் செல்வன்",
    "Նարեկ",
    "გიორგი",
    "ኃይለ ሥላሴ",
    "Mª Carmen",
    "J. R. R. Tolkien, 3rd",
    "O Ìyábọ̀",
    "X Æ A-12",
    "Team A/B",
    "Max Cox Jr",
    "Анна Müller-Lee",
    "Signe Signeddottir",
    "J.R. Smith",
    "St.John Ellis",
    "Əli Həsənov",
    "Ŋɔrkor Ɓala",
    "Kaʻiulani Kamakeʻe",
    "Mary-Ann O. de la Cruz",
    "Ann Freeman",
    "Anna Berg 2",
    "R2 Station",
    "Line 42",
    "B1 Reception",
    "Rita Reviewer",
    "QA Approver",
    "Release Manager",
    "Validation Team",
    "Signe Ratliff",
  ])("passes as it is: %s", (name) => {
    expect(messageOf(name)).toBe(null);
    expect(personName.parse(name)).toBe(name.normalize("NFC"));
  });

  const hidden = "Remove the invisible characters, or type the name again";
  it.each([
    ["a line break", "Ann\r\nApproved-by: Boss", hidden],
    ["a tab", "Ann\tBoss", hidden],
    ["U+0000", "A\u0000B", hidden],
    ["a zero-width space", "Ann\u200bBoss", hidden],
    ["a joiner between Latin letters", "An\u200dn", hidden],
    ["a soft hyphen", "Bo\u00adss", hidden],
    ["a reversed text", "\u202essoB A", hidden],
    ["an isolate", "A\u2067B\u2069", hidden],
    ["a mark of direction", "A\u200f B", hidden],
    ["a byte order mark", "An\ufeffn", hidden],
    ["a Hangul filler", "\u3164\u3164", hidden],
    ["an empty Braille cell", "\u2800\u2800", hidden],
    ["a tag", "Boss\u{e0041}", hidden],
    ["a variation selector", "Boss\ufe0f", hidden],
    ["a private character", "Boss\ue000", hidden],
    ["half of a surrogate pair", "Boss\ud800", hidden],
    ["a Cyrillic letter in a Latin word", "Аnn Person", "Write each word of the name in one alphabet"],
    ["a Greek letter in a Latin word", "Bοss", "Write each word of the name in one alphabet"],
    ["a Latin letter in a Cyrillic word", "Ивaн", "Write each word of the name in one alphabet"],
    ["a Cherokee letter in a Latin word", "ᏴOSS", "Write each word of the name in one alphabet"],
    ["an old script", "𐌁𐌏𐌔𐌔", "Write each word of the name in one alphabet"],
    ["a Greek and a Cyrillic word", "Μαχ Сох", "Write the name in one alphabet, or in Latin letters and one other"],
    ["a decision", "Mia Manager — Approved", "Write the name alone, without a decision or a year"],
    ["a year", "Mia Manager 2026", "Write the name alone, without a decision or a year"],
    ["piled marks", "Bo\u0300\u0301\u0302\u0303\u0304\u0305ss", "Use letters. Marks need a letter to stand on"],
    ["a mark alone", "Ann \u0301", "Use letters. Marks need a letter to stand on"],
    ["no letter", "-- --", "Use letters. Marks need a letter to stand on"],
    ["one letter between spaces of all widths", "\u3000\u00a0A\u2003", "Name must be at least 2 characters"],
    ["no text", null, "Name must be at least 2 characters"],
  ])("is refused with %s", (_what, name, message) => {
    expect(messageOf(name)).toBe(message);
  });

  it.each([
    "validated by QA",
    "已批准",
    "承認 田中",
    "одобрено",
    "утверждено Анна",
    "approvedAnna",
    "confirmed Anna",
    "QA Approval",
    "Approved by the board",
    "Appr0ved by the board",
    "4pproved",
    "Rev1ewed",
    "Va1idated",
    "R3leased for use",
    "Anna approves this",
    "Disapproved",
    "Accepted by QA",
    "Certified, QA",
    "Rejects it",
    "Unterschrieben Anna",
  ])("is refused as a decision: %s", (name) => {
    expect(messageOf(name)).toBe("Write the name alone, without a decision or a year");
  });

  it.each(["Your password expired. Sign in at evil.example", "Ann a@b", "Ann http://b"])(
    "is refused with an address: %s",
    (name) => {
      expect(messageOf(name)).toBe("Write the name alone, without an address");
    },
  );

  it.each(["Anna Beʳg", "Rea Revieweʳ", "Aɴɴa Berg", "Anna Beʀɢ", "Mo Manaꞡer", "Mo Manager™", "Mo Manager℠"])(
    "is refused with letters of phonetic writing, or signs: %s",
    (name) => {
      expect(messageOf(name)).toBe("Use letters. Marks need a letter to stand on");
    },
  );

  it("is stored with single spaces and plain letters", () => {
    expect(personName.parse(" 山田　太郎 ")).toBe("山田 太郎");
    expect(personName.parse("Ａnn\u00a0\u00a0 𝐁𝐨𝐬𝐬")).toBe("Ann Boss");
    expect(personName.parse("Jose\u0301")).toBe("José");
  });
});
