import { describe, expect, it } from "vitest";
import { parseFile } from "./parse-file.ts";
import { readProse, nonWord } from "./prose.ts";

function prose(source: string) {
  const node = parseFile(source).tree.children[0];
  if (node === undefined) throw new Error("nothing was parsed");
  return readProse(node, source);
}

describe("prose", () => {
  it("is the words, with one stand-in for what is none", () => {
    expect(prose("Run `npm i`, **then** [stop](x) ![p](y)<br>now<!-- x -->\n").text).toBe(
      `Run ${nonWord}, then stop ${nonWord}\nnow`,
    );
  });

  it.each([
    ["plain words here", "words", "words"],
    ["**bold** words", "words", "words"],
    ["a \\* b \\[words\\]", "[words]", "[words\\]"],
    ["fish &amp; chips, words", "words", "words"],
    ["a &nbsp;b words", "words", "words"],
    ["fish &amp; chips", "& chips", "&amp; chips"],
    ["> one two\n> three words", "three words", "three words"],
    ["> one two\n> three words", "two\nthree", "two\n> three"],
    ["one\r\n  two words", "two", "two"],
  ])("in %j finds %j where it is written", (source, words, written) => {
    const quoted = parseFile(source).tree.children[0];
    const node = quoted?.type === "blockquote" ? quoted.children[0] : quoted;
    if (node === undefined) throw new Error("nothing was parsed");
    const read = readProse(node, source);
    const at = read.text.indexOf(words);
    const place = read.offsetsInFile(at, at + words.length);
    expect(source.slice(place.start, place.end)).toBe(written);
  });
});
