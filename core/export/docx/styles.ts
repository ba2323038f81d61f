import type { IParagraphStyleOptions, IStylesOptions } from "docx";

export const colours = {
  ink: "1D2530",
  deep: "152F56",
  muted: "566071",
  accent: "1F54A8",
  line: "CFD6E0",
  sunken: "F4F6F9",
};

/** The font of the text. Every machine with Word has it; other programs have a font with the same letter widths. */
const fontName = "Calibri";
const codeFace = "Consolas";

export function docxStylesOf(lang: string, rtl: boolean): IStylesOptions {
  const headingStyle = (size: number, before: number, color: string) => ({
    run: { size, bold: true, color, font: fontName },
    paragraph: { spacing: { before, after: 90 }, keepNext: true, keepLines: true },
  });
  return {
    default: {
      document: {
        run: {
          font: fontName,
          size: 21,
          color: colours.ink,
          language: { value: lang, ...(rtl && { bidirectional: lang }) },
        },
        paragraph: { spacing: { after: 120, line: 276, lineRule: "auto" as const } },
      },
      title: {
        run: { font: fontName, size: 44, bold: true, color: colours.deep },
        paragraph: { spacing: { before: 40, after: 100, line: 240, lineRule: "auto" as const } },
      },
      heading1: headingStyle(32, 440, colours.deep),
      heading2: headingStyle(28, 400, colours.deep),
      heading3: headingStyle(24, 300, colours.ink),
      heading4: headingStyle(22, 240, colours.ink),
      heading5: headingStyle(21, 220, colours.ink),
      heading6: headingStyle(21, 220, colours.muted),
      hyperlink: { run: { color: colours.accent, underline: {} } },
      footnoteText: { run: { size: 17 }, paragraph: { spacing: { after: 40 } } },
    },
    paragraphStyles: [...documentParagraphStyles()],
    characterStyles: [
      { id: "InlineCode", name: "Inline Code", run: { font: codeFace, size: 19, shading: { fill: "ECEFF4" } } },
      {
        id: "Keyboard",
        name: "Keyboard",
        run: { font: codeFace, size: 18, border: { style: "single", size: 4, color: "AAB3C0", space: 0 } },
      },
    ],
  };
}

function documentParagraphStyles(): IParagraphStyleOptions[] {
  return [
    {
      id: "Description",
      name: "Description",
      basedOn: "Normal",
      run: { size: 23, color: colours.muted },
      paragraph: { spacing: { after: 240 } },
    },
    {
      id: "DocumentNumber",
      name: "Document Number",
      basedOn: "Normal",
      run: { size: 20, bold: true, color: colours.accent },
    },
    {
      id: "ControlName",
      name: "Control Name",
      basedOn: "Normal",
      run: { size: 16, color: colours.muted },
      paragraph: { spacing: { after: 0, line: 240, lineRule: "auto" as const } },
    },
    {
      id: "ControlValue",
      name: "Control Value",
      basedOn: "Normal",
      run: { size: 19, bold: true },
      paragraph: { spacing: { after: 40, line: 240, lineRule: "auto" as const } },
    },
    {
      id: "CodeBlock",
      name: "Code Block",
      basedOn: "Normal",
      run: { font: codeFace, size: 18 },
      paragraph: { spacing: { line: 252, lineRule: "auto" as const } },
    },
    {
      id: "Caption",
      name: "caption",
      basedOn: "Normal",
      run: { color: colours.muted, size: 18 },
      paragraph: { spacing: { before: 40, after: 200 } },
    },
    { id: "Rule", name: "Rule", basedOn: "Normal" },
    { id: "Quote", name: "Quote", basedOn: "Normal", run: { color: colours.muted } },
    {
      id: "AlertTitle",
      name: "Alert Title",
      basedOn: "Normal",
      run: { bold: true, size: 19 },
      paragraph: { keepNext: true, spacing: { before: 120, after: 20 } },
    },
    {
      id: "TableText",
      name: "Table Text",
      basedOn: "Normal",
      run: { size: 19 },
      paragraph: { spacing: { before: 30, after: 30, line: 252, lineRule: "auto" as const } },
    },
    { id: "TableHead", name: "Table Head", basedOn: "TableText", run: { bold: true } },
  ];
}
