import { describe, expect, it } from "vitest";
import { linkAddressOf } from "./LinkDialog.tsx";
import { cleanPastedHtml } from "./paste-html.ts";

describe("an address that the user typed", () => {
  it.each([
    ["www.example.org", "http://www.example.org"],
    [" example.org/a?b#c ", "http://example.org/a?b#c"],
    ["localhost:3000/x", "http://localhost:3000/x"],
    ["https://example.org", "https://example.org"],
    ["ann@example.org", "mailto:ann@example.org"],
    ["mailto:ann@example.org", "mailto:ann@example.org"],
    ["tel:112", "tel:112"],
    ["sms:112", "sms:112"],
    ["xmpp:ann@example.org", "xmpp:ann@example.org"],
    ["#steps", "#steps"],
    ["/sop/1", "/sop/1"],
    ["./other.md", "./other.md"],
    ["", null],
    ["   ", null],
    ["javascript:alert(1)", null],
    ["JAVA\tscript:alert(1)", null],
    ["data:text/html,x", null],
    ["file:///etc/passwd", null],
    ["//evil.example", null],
  ])("%j → %j", (typed, stored) => {
    expect(linkAddressOf(typed)).toBe(stored);
  });
});

describe("pasted HTML", () => {
  it.each([
    ["<p><span style='font-weight:700'>b</span></p>", "<p><strong>b</strong></p>"],
    ['<p><span style="font-style: italic; color: red">i</span></p>', "<p><em>i</em></p>"],
    ["<span style='text-decoration:line-through'>x</span>", "<del>x</del>"],
    ["<b style='font-weight:normal'><p>all</p></b>", "<p>all</p>"],
    [
      "<table><tbody><tr><td style='text-align:right'>1</td></tr></tbody></table>",
      '<table><tbody><tr data-is-header="true"><th align="right">1</th></tr></tbody></table>',
    ],
    [
      '<table data-pm-slice="1 1 []"><tbody><tr><td><p>a</p></td></tr></tbody></table>',
      '<table data-pm-slice="1 1 []"><tbody><tr><td><p>a</p></td></tr></tbody></table>',
    ],
    ["<p onclick='a()' onmouseover=b>t</p>", "<p>t</p>"],
    ["<p>style = on = here</p>", "<p>style = on = here</p>"],
    ["<script>alert(1)</script><style>p{}</style><iframe src=x></iframe><svg onload=x></svg>ok", "ok"],
    ["<h2 style='font-weight:bold'>H</h2>", "<h2>H</h2>"],
    ['<a href="https://x/onboarding=1">a</a>', '<a href="https://x/onboarding=1">a</a>'],
    ["<a href=https://x/style=2>a</a>", '<a href="https://x/style=2">a</a>'],
    ['<img alt="the style= and onset= of it" src="/x.png">', '<img alt="the style= and onset= of it" src="/x.png">'],
    ["<p class=it's style=color:red onclick=a>t</p>", '<p class="">t</p>'],
    ['<p title="a>b"style="color:red"/ONCLICK = x>t</p>', "<p>t</p>"],
    ["<!-- <a title=\" --><p style='color:red'>t</p>", "<p>t</p>"],
    ["a<!-- <style> --><p>kept</p><style>p{}</style>", "a<p>kept</p>"],
    ["<style-guide style=x>kept</style-guide>", "kept"],
    ["a < b, <p ='\">t", "a &#x3C; b, <p>t</p>"],
  ])("%j → %j", (html, clean) => {
    expect(cleanPastedHtml(html)).toBe(clean);
  });
});
