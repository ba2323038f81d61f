import type { Node } from "@milkdown/kit/prose/model";
import type { EditorView, NodeView } from "@milkdown/kit/prose/view";
import { texts } from "./texts.ts";

/** Creates the view of a list item. A task has a real check box beside its text. */
export function createListItemView(node: Node, view: EditorView, getPos: () => number | undefined): NodeView {
  return typeof node.attrs["checked"] === "boolean"
    ? createTaskItemView(node, view, getPos)
    : createPlainItemView(node);
}

function createPlainItemView(node: Node): NodeView {
  const dom = document.createElement("li");
  return { dom, contentDOM: dom, update: (next) => next.type === node.type && next.attrs["checked"] === null };
}

function createTaskItemView(node: Node, view: EditorView, getPos: () => number | undefined): NodeView {
  const dom = document.createElement("li");
  dom.dataset["type"] = "task";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.contentEditable = "false";
  const contentDOM = document.createElement("div");
  dom.append(box, contentDOM);
  box.addEventListener("change", () => {
    const pos = getPos();
    if (pos !== undefined) view.dispatch(view.state.tr.setNodeAttribute(pos, "checked", box.checked));
  });
  const showTask = (shown: Node): void => {
    box.checked = shown.attrs["checked"] === true;
    box.ariaLabel = texts.taskDone({ task: shown.firstChild?.textContent.slice(0, 80) || texts.emptyTask });
  };
  showTask(node);
  return {
    dom,
    contentDOM,
    update(next) {
      if (next.type !== node.type || typeof next.attrs["checked"] !== "boolean") return false;
      showTask(next);
      return true;
    },
    stopEvent: (event) => event.target === box,
    ignoreMutation: (mutation) =>
      mutation.target === box || (mutation.type === "attributes" && mutation.target === dom),
  };
}
