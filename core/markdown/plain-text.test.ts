import { expect, it } from "vitest";
import { parseMarkdown } from "./parse.ts";
import { plainText } from "./plain-text.ts";

it.each([
  ["# Set 80<br>85 °C\n", "Set 80 85 °C"],
  ["Limits: 80\\\n85 °C\n", "Limits: 80 85 °C"],
  ["| A | B |\n| --- | --- |\n| 12 Nm<br>8 bar | red |\n", "A B 12 Nm 8 bar red"],
  ["- one\n- two\n\nthree\n", "one two three"],
  ["H<sub>2</sub>O and CO<sub>2</sub>\n", "H2O and CO2"],
  ["<table>\n<tr><td>5</td><td>7&nbsp;bar &#x3053;</td></tr>\n</table>\n", "5 7 bar こ"],
  ["> [!WARNING]\n> Hot\n>\n> - Stop\n> - Wait\n>\n> Then go\n", "Hot Stop Wait Then go"],
  ['![Valve|300](x.png "Turn it slowly")\n', "Valve Turn it slowly"],
  ["a <!-- no --> ![pump](x.png) `C:\\x`\n", "a pump C:\\x"],
])("%j reads %j", (markdown, words) => {
  expect(plainText(parseMarkdown(markdown))).toBe(words);
});
