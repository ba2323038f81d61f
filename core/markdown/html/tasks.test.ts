import { describe, expect, it } from "vitest";
import { bodyOfHtml } from "#core/import/html/content.ts";

const read = (content: string) => {
  const { markdown, notes } = bodyOfHtml({ content, title: "" });
  const said = notes.map(({ message }) => message).filter((message) => !message.startsWith("style attributes"));
  return { markdown, said };
};

describe("check boxes that only a style draws", () => {
  it.each([
    [
      "of Notion",
      '<ul><li><div class="checkbox checkbox-on"></div> a</li><li><div class="checkbox checkbox-off"></div> b</li></ul>',
    ],
    [
      "of the editor of Confluence",
      '<div data-node-type="actionList"><div data-task-state="DONE">a</div><div data-task-state="TODO">b</div></div>',
    ],
    ["of Quill", '<ol><li data-list="checked">a</li><li data-list="unchecked">b</li></ol>'],
    [
      "of TipTap",
      '<ul><li data-checked="true"><label><input type="checkbox"></label><span>a</span></li><li data-checked="false"><label><input type="checkbox"></label><span>b</span></li></ul>',
    ],
    ["of Evernote", '<ul><li style="--en-checked:true">a</li><li style="--en-checked:false">b</li></ul>'],
    [
      "in the place of Word's bullets",
      ["þ", "¨"]
        .map(
          (sign, at) =>
            `<p class=MsoListParagraph style="mso-list:l0 level1 lfo1"><span style="font-family:Wingdings;mso-list:Ignore">${sign} </span>${"ab"[at]}</p>`,
        )
        .join(""),
    ],
  ])("%s stay boxes", (_, html) => {
    expect(read(html)).toEqual({ markdown: "- [x] a\n- [ ] b\n", said: [] });
  });
});

describe("what only attributes say", () => {
  it("becomes panels, expands and dates of Confluence", () => {
    const { markdown } = read(
      '<div data-panel-type="error"><p>Hot</p></div><div data-node-type="expand" data-title="More"><p>in</p></div><p>on <span data-node-type="date" data-timestamp="1704153600000"></span></p>',
    );
    expect(markdown).toBe(
      "> [!CAUTION]\n> Hot\n\n<details>\n<summary>More</summary>\n\nin\n\n</details>\n\non 2024-01-02\n",
    );
  });
});

describe("signs of symbol fonts", () => {
  it.each([
    ["5 <span style='font-family:Symbol'>m</span>g", "5 μg\n"],
    ['<font face="Wingdings">þ</font> Yes <font face="Wingdings">o</font> No', "☑ Yes ☐ No\n"],
    ["<span style='font-family:Symbol'>\uF0B3 5 (a)</span> <span style='font-family:Arial'>a</span>", "≥ 5 (α) a\n"],
  ])("%s are the signs", (html, text) => {
    expect(read(`<p>${html}</p>`)).toEqual({ markdown: text, said: [] });
  });

  it("that have no character are named", () => {
    expect(read("<p><font face=Wingdings>X</font></p>").said).toEqual([
      "a sign of a symbol font stays as its letter: X (wingdings)",
    ]);
  });
});

describe("changes and comments of Word", () => {
  it("are named once, with their words", () => {
    const html =
      "<p class=MsoNormal>Set <del cite='mailto:A'>5</del><ins>7</ins> bar<a class=MsoCommentReference>[A1]</a></p><p class=MsoCommentText>Why?</p>";
    expect(read(html)).toEqual({
      markdown: "Set 7 bar\n",
      said: ["a comment was left out (2 times): Why?, [A1]", "tracked changes were accepted, without: 5"],
    });
  });
});
