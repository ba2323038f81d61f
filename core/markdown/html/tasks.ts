import type { Element, Root } from "hast";
import { classesOf, eachElement, element, elementsOf, hasClass, isElement, property } from "./elements.ts";
import { declared } from "./styles.ts";

/**
 * Makes real checkboxes of those that a style draws and an attribute or a class ticks, as in Notion, Confluence, Quill,
 * TipTap and Evernote.
 */
export function mapTasks(root: Root): void {
  eachElement(root, (node) => {
    if (isDrawnBox(node)) {
      Object.assign(node, box(hasClass(node, "checkbox-on")));
      return;
    }
    if (property(node, "dataNodeType") === "actionList" || node.properties["dataTaskListLocalId"] !== undefined)
      node.tagName = "ul";
    // Quill writes bullets and checkboxes as numbered lists but shows no numbers
    if (node.tagName === "ol" && itemsOf(node).length > 0 && itemsOf(node).every(isUnnumbered)) node.tagName = "ul";
    const checked = stateOf(node);
    if (checked === undefined) return;
    node.tagName = "li";
    const [own] = elementsOf(node, "input");
    if (own === undefined) node.children.unshift(box(checked), { type: "text", value: " " });
    else own.properties["checked"] = checked;
  });
}

const itemsOf = (list: Element): Element[] => list.children.filter((child) => isElement(child, "li"));

const isUnnumbered = (item: Element): boolean => /^(?:bullet|(?:un)?checked)$/.test(property(item, "dataList"));

/** Recognizes an empty element with Notion's classes for a checkbox. */
function isDrawnBox(node: Element): boolean {
  return (
    node.children.length === 0 && hasClass(node, "checkbox") && /\bcheckbox-o(?:n|ff)\b/.test(classesOf(node).join(" "))
  );
}

/** The state of a task; undefined for an element that is no task. */
function stateOf(node: Element): boolean | undefined {
  const task = property(node, "dataTaskState");
  if (task !== "") return task === "DONE";
  if (!isElement(node, "li")) return undefined;
  const checked = node.properties["dataChecked"];
  if (checked === "true" || checked === "false") return checked === "true";
  const list = property(node, "dataList");
  if (list === "checked" || list === "unchecked") return list === "checked";
  const evernote = declared(property(node, "style"), "--en-checked");
  return evernote === "" ? undefined : evernote === "true";
}

export function box(checked: boolean): Element {
  return element("input", { type: "checkbox", disabled: true, checked }, []);
}
