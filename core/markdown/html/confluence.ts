import type { Element, ElementContent, Root } from "hast";
import { escapeHtml } from "../../text/escape-html.ts";
import {
  eachElement,
  element,
  descendantsNamed,
  findElement,
  hasClass,
  isElement,
  textProperty,
  nodeText,
} from "./elements.ts";

/** Confluence's panels and their alerts. Confluence's `note` is a warning, and its `warning` is the strongest panel. */
const panels: Record<string, string> = {
  information: "note",
  info: "note",
  tip: "tip",
  success: "tip",
  note: "warning",
  warning: "caution",
};

/** Panels of Confluence's editor. */
const editorPanels: Record<string, string> = { tip: "tip", success: "tip", warning: "warning", error: "caution" };

/** The title of a page that Confluence exported, without the name of its space: `Space : Page`. Undefined for others. */
export function confluencePageTitle(document: Root): string | undefined {
  const own = findElement(document, (node) => textProperty(node, "id") === "title-text");
  const text = own === undefined ? "" : nodeText(own).replace(/\s+/g, " ").trim();
  return text === "" ? undefined : text.replace(/^[^:]{1,80} : /, "");
}

/**
 * Rewrites Confluence's storage format, which is XML with tags that HTML does not have. An HTML parser would put the
 * following content into empty tags and take CDATA for a comment. The result has `<ac:…>` and `<ri:…>` as ordinary
 * elements.
 */
export function rewriteStorageTags(html: string): string {
  if (!/<(?:ac|ri):/i.test(html)) return html;
  return html
    .replace(/<!\[CDATA\[([^]*?)\]\]>/g, (_, text: string) => escapeHtml(text))
    .replace(/<((?:ac|ri):[\w-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/>/g, "<$1$2></$1>");
}

/**
 * Maps macros, attachments and tasks of Confluence, from its HTML export and its storage format. Returns the macros
 * without a form in Markdown, with their count; only their text is kept.
 */
export function convertConfluenceHtml(root: Root): Map<string, number> {
  const unknown = new Map<string, number>();
  eachElement(root, (node, parent, index) => {
    const replaced = node.tagName.startsWith("ac:") ? mapStorageElement(node, unknown) : mapExportedElement(node);
    if (replaced !== undefined) parent.children.splice(index, 1, ...replaced);
  });
  return unknown;
}

function alertElement(kind: string, title: string, body: readonly ElementContent[]): Element {
  const head = title === "" ? [] : [element("p", {}, [element("strong", {}, [{ type: "text", value: title }])])];
  return element("div", { className: ["alert", `alert-${kind}`] }, [...head, ...body]);
}

function mapExportedElement(node: Element): ElementContent[] | undefined {
  if (node.tagName === "img") {
    const full = textProperty(node, "dataImageSrc");
    if (full !== "" && /thumbnail/.test(textProperty(node, "src"))) node.properties["src"] = full;
    const name = textProperty(node, "dataLinkedResourceDefaultAlias");
    if (textProperty(node, "alt") === "" && name !== "") node.properties["alt"] = name.replace(/\.\w+$/, "");
    return undefined;
  }
  if (node.tagName === "ul" && hasClass(node, "inline-task-list")) {
    for (const item of node.children) if (isElement(item, "li")) addTaskCheckbox(item, hasClass(item, "checked"));
    node.properties["className"] = [];
    return undefined;
  }
  const edited = mapEditorElement(node);
  if (edited !== undefined) return edited;
  if (node.tagName === "pre" && hasClass(node, "syntaxhighlighter-pre")) {
    const brush = /brush:\s*([\w+#-]+)/.exec(textProperty(node, "dataSyntaxhighlighterParams"))?.[1];
    return [codeElement(nodeText(node), brush)];
  }
  if (node.tagName !== "div") return undefined;
  if (hasClass(node, "toc-macro") || hasClass(node, "expand-control-icon")) return [];
  if (hasClass(node, "confluence-information-macro")) return [exportedPanel(node)];
  if (hasClass(node, "panel") && findElement(node, (inner) => hasClass(inner, "panelContent")) !== undefined) {
    const body = findElement(node, (inner) => hasClass(inner, "panelContent"));
    const header = findElement(node, (inner) => hasClass(inner, "panelHeader"));
    if (hasClass(node, "code")) return body?.children;
    return [alertElement("note", header === undefined ? "" : nodeText(header).trim(), body?.children ?? [])];
  }
  if (hasClass(node, "expand-container")) {
    const control = findElement(node, (inner) => hasClass(inner, "expand-control-text"));
    const body = findElement(node, (inner) => hasClass(inner, "expand-content"));
    return [detailsElement(control === undefined ? "" : nodeText(control).trim(), body?.children ?? [])];
  }
  return undefined;
}

/** Maps elements that Confluence's editor copies: panels, expands and dates with their words in attributes. */
function mapEditorElement(node: Element): ElementContent[] | undefined {
  const panel = textProperty(node, "dataPanelType");
  if (panel !== "") return [alertElement(editorPanels[panel] ?? "note", "", node.children)];
  const kind = textProperty(node, "dataNodeType");
  if (/^(?:nestedE|e)xpand$/.test(kind)) return [detailsElement(textProperty(node, "dataTitle"), node.children)];
  const time = Number(textProperty(node, "dataTimestamp"));
  if (kind !== "date" || nodeText(node).trim() !== "" || time === 0 || !Number.isFinite(new Date(time).getTime()))
    return undefined;
  return [{ type: "text", value: new Date(time).toISOString().slice(0, 10) }];
}

function exportedPanel(node: Element): Element {
  const kind = Object.keys(panels).find((name) => hasClass(node, `confluence-information-macro-${name}`));
  const title = findElement(node, (inner) => hasClass(inner, "title"));
  const body = findElement(node, (inner) => hasClass(inner, "confluence-information-macro-body"));
  return alertElement(
    panels[kind ?? ""] ?? "note",
    title === undefined ? "" : nodeText(title).trim(),
    body?.children ?? [],
  );
}

function mapStorageElement(node: Element, unknown: Map<string, number>): ElementContent[] | undefined {
  switch (node.tagName) {
    case "ac:structured-macro":
      return mapStorageMacro(node, unknown);
    case "ac:image": {
      const [file] = descendantsNamed(node, "ri:attachment");
      const [page] = descendantsNamed(node, "ri:url");
      const name =
        file === undefined
          ? textProperty(page ?? node, "riValue") || attributeText(page, "ri:value")
          : attributeText(file, "ri:filename");
      return [
        element("img", { src: encodeURI(name), alt: attributeText(node, "ac:alt") || name.replace(/\.\w+$/, "") }, []),
      ];
    }
    case "ac:link": {
      const [page] = descendantsNamed(node, "ri:page");
      const [file] = descendantsNamed(node, "ri:attachment");
      const target = attributeText(page, "ri:content-title") || attributeText(file, "ri:filename");
      const words = nodeText(node).trim() || target;
      return target === ""
        ? [{ type: "text", value: words }]
        : [element("a", { href: encodeURI(target) }, [{ type: "text", value: words }])];
    }
    case "ac:task-list":
      return [
        element(
          "ul",
          {},
          node.children.filter((child) => isElement(child, "li")),
        ),
      ];
    case "ac:task": {
      const status = descendantsNamed(node, "ac:task-status").map(nodeText).join("").trim();
      const [body] = descendantsNamed(node, "ac:task-body");
      const item = element("li", {}, [...(body?.children ?? [])]);
      addTaskCheckbox(item, status === "complete");
      return [item];
    }
    case "ac:parameter":
    case "ac:rich-text-body":
    case "ac:plain-text-body":
    case "ac:task-status":
    case "ac:task-body":
    case "ac:task-id":
    case "ac:plain-text-link-body":
    case "ac:link-body":
      return undefined;
    default:
      return node.children;
  }
}

function mapStorageMacro(node: Element, unknown: Map<string, number>): ElementContent[] {
  const name = attributeText(node, "ac:name");
  const parameterOf = (wanted: string) =>
    descendantsNamed(node, "ac:parameter")
      .filter((found) => attributeText(found, "ac:name") === wanted)
      .map(nodeText)[0]
      ?.trim() ?? "";
  const [rich] = descendantsNamed(node, "ac:rich-text-body");
  const [plain] = descendantsNamed(node, "ac:plain-text-body");
  if (panels[name] !== undefined) return [alertElement(panels[name], parameterOf("title"), rich?.children ?? [])];
  if (name === "panel") return [alertElement("note", parameterOf("title"), rich?.children ?? [])];
  if (name === "code" || name === "noformat")
    return [codeElement(plain === undefined ? "" : nodeText(plain), parameterOf("language"))];
  if (name === "expand") return [detailsElement(parameterOf("title"), rich?.children ?? [])];
  if (name === "toc") return [];
  if (name === "status") return [element("strong", {}, [{ type: "text", value: parameterOf("title") }])];
  unknown.set(name, (unknown.get(name) ?? 0) + 1);
  return rich?.children ?? (plain === undefined ? [] : [{ type: "text", value: nodeText(plain) }]);
}

function codeElement(text: string, language = ""): Element {
  const className = language === "" ? {} : { className: [`language-${language.toLowerCase()}`] };
  return element("pre", {}, [element("code", className, [{ type: "text", value: text }])]);
}

function detailsElement(title: string, body: readonly ElementContent[]): Element {
  return element("details", {}, [element("summary", {}, [{ type: "text", value: title || "More" }]), ...body]);
}

function addTaskCheckbox(item: Element, checked: boolean): void {
  item.properties["className"] = ["task-list-item"];
  item.children.unshift(element("input", { type: "checkbox", disabled: true, checked }, []), {
    type: "text",
    value: " ",
  });
}

/** The parser keeps attribute names with a colon as written. */
function attributeText(node: Element | undefined, name: string): string {
  if (node === undefined) return "";
  return (
    textProperty(node, name) ||
    textProperty(
      node,
      name.replace(/[:-](\w)/g, (_, letter: string) => letter.toUpperCase()),
    )
  );
}
