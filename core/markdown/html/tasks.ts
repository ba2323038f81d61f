import type { Element, Root } from "hast";
import { classesOf, eachElement, element, descendantsNamed, hasClass, isElement, textProperty } from "./elements.ts";
import { cssValueOf } from "./styles.ts";

/**
 * Turns checkboxes that other tools draw by a class or an attribute (Notion, Confluence, Quill, TipTap, Evernote) into
 * `<input>` elements.
 */
export function convertCheckboxes(root: Root): void {
  eachElement(root, (node) => {
    if (isDrawnBox(node)) {
      Object.assign(node, checkboxElement(hasClass(node, "checkbox-on")));
      return;
    }
    if (textProperty(node, "dataNodeType") === "actionList" || node.properties["dataTaskListLocalId"] !== undefined)
      node.tagName = "ul";
    // Quill writes bullets and checkboxes as numbered lists but shows no numbers
    if (node.tagName === "ol" && listItemsOf(node).length > 0 && listItemsOf(node).every(isUnnumbered))
      node.tagName = "ul";
    const checked = taskStateOf(node);
    if (checked === undefined) return;
    node.tagName = "li";
    const [own] = descendantsNamed(node, "input");
    if (own === undefined) node.children.unshift(checkboxElement(checked), { type: "text", value: " " });
    else own.properties["checked"] = checked;
  });
}

const listItemsOf = (list: Element): Element[] => list.children.filter((child) => isElement(child, "li"));

const isUnnumbered = (item: Element): boolean => /^(?:bullet|(?:un)?checked)$/.test(textProperty(item, "dataList"));

/** Recognizes an empty element with Notion's classes for a checkbox. */
function isDrawnBox(node: Element): boolean {
  return (
    node.children.length === 0 && hasClass(node, "checkbox") && /\bcheckbox-o(?:n|ff)\b/.test(classesOf(node).join(" "))
  );
}

/** The state of a task; undefined for an element that is no task. */
function taskStateOf(node: Element): boolean | undefined {
  const task = textProperty(node, "dataTaskState");
  if (task !== "") return task === "DONE";
  if (!isElement(node, "li")) return undefined;
  const checked = node.properties["dataChecked"];
  if (checked === "true" || checked === "false") return checked === "true";
  const list = textProperty(node, "dataList");
  if (list === "checked" || list === "unchecked") return list === "checked";
  const evernote = cssValueOf(textProperty(node, "style"), "--en-checked");
  return evernote === "" ? undefined : evernote === "true";
}

export function checkboxElement(checked: boolean): Element {
  return element("input", { type: "checkbox", disabled: true, checked }, []);
}
