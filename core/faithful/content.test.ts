import { expect, it } from "vitest";
import { bodyOfContent } from "./content.ts";

const notesOf = (content: string) => bodyOfContent({ content, title: "" }).notes.map(({ message }) => message);

it("names an image that views show as a link, and nothing else about it", () => {
  expect(notesOf('<p>Open <img src="img/valve.png" alt="valve" title="5 bar"> now</p>')).toEqual([
    "an image that isn't stored here is shown as a link: img/valve.png",
  ]);
});

it("says nothing about a stored image with a caption", () => {
  expect(notesOf(`<p><img src="/api/assets/${"a".repeat(64)}.png" alt="valve" title="5 bar"></p>`)).toEqual([]);
});
