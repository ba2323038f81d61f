import { child, isXml, make, wordText, xmlText, type XmlElement, type XmlNode } from "./xml-tree.ts";
import type { Noted } from "./noted.ts";

/**
 * Writes Word's formulas (`m:oMath`) as runs of text: superscripts for powers, subscripts for indexes, a slash for
 * fractions.
 */
export function writeFormulas(root: XmlElement, noted: Noted): void {
  root.children = root.children.flatMap((node): XmlNode[] => {
    if (!isXml(node)) return [node];
    if (node.name === "m:oMath") {
      const runs = runsOf(node);
      noted.formulas.push(runs.map(xmlText).join(""));
      return runs;
    }
    writeFormulas(node, noted);
    if (node.name !== "m:oMathPara") return [node];
    return node.children;
  });
}

function runsOf(element: XmlElement): XmlElement[] {
  return element.children.filter((node) => isXml(node)).flatMap(partOf);
}

function partOf(node: XmlElement): XmlElement[] {
  const inside = (name: string) => runsOf(child(node, `m:${name}`) ?? make("none"));
  switch (node.name) {
    case "m:r":
      return [
        run(
          node.children
            .filter((one) => isXml(one, "m:t", "w:t"))
            .map((one) => xmlText(one as XmlElement))
            .join(""),
        ),
      ];
    case "m:sSup":
      return [...inside("e"), ...shifted(inside("sup"), "superscript")];
    case "m:sSub":
      return [...inside("e"), ...shifted(inside("sub"), "subscript")];
    case "m:sSubSup":
      return [...inside("e"), ...shifted(inside("sub"), "subscript"), ...shifted(inside("sup"), "superscript")];
    case "m:f":
      return [...grouped(inside("num")), run("/"), ...grouped(inside("den"))];
    case "m:rad":
      return [...shifted(inside("deg"), "superscript"), run("√"), ...grouped(inside("e"))];
    case "m:d":
      return [run("("), ...runsOf(node), run(")")];
    case "m:nary":
      return [
        run(signOf(node) ?? "∫"),
        ...shifted(inside("sub"), "subscript"),
        ...shifted(inside("sup"), "superscript"),
        ...inside("e"),
      ];
    default:
      return node.name.endsWith("Pr") ? [] : runsOf(node);
  }
}

function signOf(node: XmlElement): string | undefined {
  const sign = child(child(node, "m:naryPr") ?? make("none"), "m:chr");
  return /m:val="([^"]*)"/.exec(sign?.attributes ?? "")?.[1];
}

function run(text: string): XmlElement {
  return make("w:r", "", [wordText(text)]);
}

function shifted(runs: XmlElement[], place: string): XmlElement[] {
  return runs.map((one) => ({
    ...one,
    children: [
      make("w:rPr", "", [make("w:vertAlign", `w:val="${place}"`)]),
      ...one.children.filter((c) => !isXml(c, "w:rPr")),
    ],
  }));
}

/** Puts an expression of more than one word or sign in parentheses. */
function grouped(runs: XmlElement[]): XmlElement[] {
  return /^[\p{L}\p{N}.,]*$/u.test(runs.map(xmlText).join("")) ? runs : [run("("), ...runs, run(")")];
}
