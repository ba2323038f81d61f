import {
  childElement,
  isXmlElement,
  createXmlElement,
  wordTextElement,
  xmlText,
  type XmlElement,
  type XmlNode,
} from "./xml-tree.ts";
import type { DocxLosses } from "./noted.ts";

/**
 * Replaces Word's formulas (`m:oMath`) in a tree by runs of text: superscripts for powers, subscripts for indexes, a
 * slash for fractions.
 */
export function replaceFormulas(root: XmlElement, noted: DocxLosses): void {
  root.children = root.children.flatMap((node): XmlNode[] => {
    if (!isXmlElement(node)) return [node];
    if (node.name === "m:oMath") {
      const runs = formulaRunsOf(node);
      noted.formulas.push(runs.map(xmlText).join(""));
      return runs;
    }
    replaceFormulas(node, noted);
    if (node.name !== "m:oMathPara") return [node];
    return node.children;
  });
}

function formulaRunsOf(element: XmlElement): XmlElement[] {
  return element.children.filter((node) => isXmlElement(node)).flatMap(runsOfFormulaPart);
}

function runsOfFormulaPart(node: XmlElement): XmlElement[] {
  const runsOfChild = (name: string) => formulaRunsOf(childElement(node, `m:${name}`) ?? createXmlElement("none"));
  switch (node.name) {
    case "m:r":
      return [
        wordRun(
          node.children
            .filter((one) => isXmlElement(one, "m:t", "w:t"))
            .map((one) => xmlText(one as XmlElement))
            .join(""),
        ),
      ];
    case "m:sSup":
      return [...runsOfChild("e"), ...runsWithVerticalAlign(runsOfChild("sup"), "superscript")];
    case "m:sSub":
      return [...runsOfChild("e"), ...runsWithVerticalAlign(runsOfChild("sub"), "subscript")];
    case "m:sSubSup":
      return [
        ...runsOfChild("e"),
        ...runsWithVerticalAlign(runsOfChild("sub"), "subscript"),
        ...runsWithVerticalAlign(runsOfChild("sup"), "superscript"),
      ];
    case "m:f":
      return [...withParentheses(runsOfChild("num")), wordRun("/"), ...withParentheses(runsOfChild("den"))];
    case "m:rad":
      return [
        ...runsWithVerticalAlign(runsOfChild("deg"), "superscript"),
        wordRun("√"),
        ...withParentheses(runsOfChild("e")),
      ];
    case "m:d":
      return [wordRun("("), ...formulaRunsOf(node), wordRun(")")];
    case "m:nary":
      return [
        wordRun(operatorSignOf(node) ?? "∫"),
        ...runsWithVerticalAlign(runsOfChild("sub"), "subscript"),
        ...runsWithVerticalAlign(runsOfChild("sup"), "superscript"),
        ...runsOfChild("e"),
      ];
    default:
      return node.name.endsWith("Pr") ? [] : formulaRunsOf(node);
  }
}

function operatorSignOf(node: XmlElement): string | undefined {
  const sign = childElement(childElement(node, "m:naryPr") ?? createXmlElement("none"), "m:chr");
  return /m:val="([^"]*)"/.exec(sign?.attributes ?? "")?.[1];
}

function wordRun(text: string): XmlElement {
  return createXmlElement("w:r", "", [wordTextElement(text)]);
}

function runsWithVerticalAlign(runs: XmlElement[], place: string): XmlElement[] {
  return runs.map((one) => ({
    ...one,
    children: [
      createXmlElement("w:rPr", "", [createXmlElement("w:vertAlign", `w:val="${place}"`)]),
      ...one.children.filter((c) => !isXmlElement(c, "w:rPr")),
    ],
  }));
}

/** Puts an expression in parentheses if it has more than one word or sign. */
function withParentheses(runs: XmlElement[]): XmlElement[] {
  return /^[\p{L}\p{N}.,]*$/u.test(runs.map(xmlText).join("")) ? runs : [wordRun("("), ...runs, wordRun(")")];
}
