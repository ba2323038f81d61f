import { describe, expect, it } from "vitest";
import { parseHtml } from "#core/markdown/html-tree.ts";
import { differencesOfReadings } from "../../faithful/compare.ts";
import { readingOfHtml } from "./reading.ts";

const read = (html: string) => readingOfHtml(parseHtml(html));

describe("the reading of HTML", () => {
  it.each([
    ["<p>80<br>85 °C</p>", ["w80", "w85", "w°C"]],
    ["5<p>6</p>7", ["w5", "w6", "w7"]],
    ["H<sub>2</sub>O 10<sup>3</sup>", ["wH_2O", "w10^3"]],
    ["<ol start=4><li>a<li value=9>b</ol>", ["#1:4", "wa", "#1:9", "wb"]],
    ["<ol reversed><li>a<li>b</ol>", ["#1:2", "wa", "#1:1", "wb"]],
    ["<ol><li>A</li><ol><li>a</li></ol><li>B</li></ol>", ["#1:1", "wA", "#2:1", "wa", "#1:2", "wB"]],
    ["<input type=checkbox checked> Yes <input type=radio> No", ["x1", "wYes", "x0", "wNo"]],
    ["☒ Yes ☐No", ["x1", "wYes", "x0", "wNo"]],
    ["Dose <select><option>mg<option selected>µg</select> a day", ["wDose", "wµg", "wa", "wday"]],
    ["<button>Start</button><select><option>mg<option selected>µg</select>x", ["wStart", "wµg", "wx"]],
    ["Dose<input value=5>mg<button>Go</button>on", ["wDose", "w5", "wmg", "wGo", "won"]],
    ["<span style='display:block'>C</span><span style='display:block'>D</span>", ["wC", "wD"]],
    ["<pre><div>a</div><div>b</div>c<br>d</pre>", ["pa\nb\nc\nd"]],
    ["<math><mi>x</mi><mn>2</mn><annotation>x2</annotation></math>", ["wx2"]],
    ["<p><span style='mso-list:Ignore'>o<span> </span></span>x</p>", ["wx"]],
    ["<p hidden>no</p><p style='display:none'>no</p><script>no</script>yes", ["wyes"]],
    ["<span style='text-decoration: line-through'>a</span> b", ["~a", "wb"]],
    ["<style>.c1{text-decoration:line-through}</style><span class=c1>a</span>", ["~a"]],
    ["10<span style='vertical-align:super'>3</span>", ["w10^3"]],
    ["<q>5 mg</q>", ['w"5', 'wmg"']],
    ["<dl><dt>pH<dd>7<dd>8<dt>T<dd>9</dl>", ["*1", "wpH", "*2", "w7", "*2", "w8", "*1", "wT", "w9"]],
    ["<a href='mailto:a@b.org'>a@b.org</a>", ["wa@b.org"]],
    ["<a href='mailto:a@b.org?subject=x%20y'>a</a>", ["amailto:a@b.org?subject=x y", "wa"]],
    ["<a href='file:///S:/x'>a</a>", ["wa"]],
    ["<img src=p.png alt=a title='5 bar'> b", ["ia", "w5", "wbar", "wb"]],
    ["a <s>b</s> c", ["wa", "~b", "wc"]],
    ["<a href='/x'>to</a><img src=p.png alt='the pump'>", ["a/x", "wto", "ithe pump"]],
    ["<pre><code>a\n  b\n</code></pre>", ["pa\n  b"]],
    ["Si­cher​heit", ["wSicherheit"]],
  ])("%s", (html, seen) => {
    expect(read(html)).toEqual(seen);
  });

  it("gives each cell its column, under merged cells too", () => {
    const html =
      "<table><tr><th rowspan=2>Task<th colspan=2>Shift<tr><td>Day<td>Night<tr><td>n1<td colspan=2>cy<tfoot><tr><td><td>x</table>";
    expect(read(html)).toEqual("r c0 wTask c1 wShift r c1 wDay c2 wNight r c0 wn1 c1 wcy r c1 wx".split(" "));
  });

  it.each([
    ["a column in which no cell begins", "<table><tr><td colspan=2>A<td>B</table>", "r c0 wA c1 wB"],
    [
      "a merged cell at the end of the head",
      "<table><thead><tr><th rowspan=2>A<th>B<tbody><tr><td>1<td>2</table>",
      "r c0 wA c1 wB r c0 w1 c1 w2",
    ],
  ])("counts columns as a browser shows them: %s", (_, html, seen) => {
    expect(read(html)).toEqual(seen.split(" "));
  });
});

it("reads images that aren't stored as the links that views show", () => {
  const seen = (html: string) => readingOfHtml(parseHtml(html), { linkedImages: () => true });
  expect(seen("<img src=p.png alt=pump> <a href=x><img src=q.png></a>")).toEqual(["ap.png", "wpump", "ax", "wq.png"]);
});

describe("the comparison of readings", () => {
  const kinds = (before: string, after: string) =>
    differencesOfReadings(read(before), read(after)).map(({ kind }) => kind);

  it("finds nothing where a reader sees the same", () => {
    expect(kinds("<b>Stop</b> <i>it</i>", "<p>Stop it</p>")).toEqual([]);
    expect(kinds("<table><tr><td>a</table>", "<table><thead><tr><th>a</table>")).toEqual([]);
  });

  it.each([
    ["<p>80<br>85 °C", "<p>8085 °C", ["spaces"]],
    ["<p>Never open it", "<p>open it", ["words"]],
    ["<p>20~25 °C", "<p>20<del>25</del> °C", ["words"]],
    ["<ol><li>a</ol>", "<ul><li>a</ul>", ["list-number"]],
    ["<p>20 25 °C", "<p>20 <del>25</del> °C", ["strike"]],
    ["<ol start=7><li>a</ol>", "<ol start=5><li>a</ol>", ["list-number"]],
    ["<ul><li>a<ul><li>b</ul></ul>", "<ul><li>a<li>b</ul>", ["list-level"]],
    ["<input type=checkbox checked>a", "<input type=checkbox>a", ["check-box"]],
    ["<table><tr><td>a<td>b</table>", "<table><tr><td><td>a<td>b</table>", ["column", "column"]],
    ["<pre>a  b</pre>", "<pre>a b</pre>", ["code"]],
    ["<a href=/x>a</a>", "a", ["link"]],
    ["<img src=x alt=pump>", "", ["image"]],
  ])("%s → %s", (before, after, expected) => {
    expect(kinds(before, after)).toEqual(expected);
  });

  it("names the place", () => {
    const [change] = differencesOfReadings(read("<p>Keep at 80 °C for 5 min"), read("<p>Keep at 88 °C for 5 min"));
    expect(change).toEqual({ kind: "words", near: "Keep at 80 °C for 5 min", before: "80", after: "88" });
  });
});
