import GithubSlugger from "github-slugger";
import type { Root } from "hast";
import { eachElement, descendantsNamed, findElement, textProperty, nodeText } from "#core/markdown/html/elements.ts";

/**
 * Links to headings inside a document get the names that this program gives the headings, in place of the other tool's
 * names.
 */
export function linkHeadings(root: Root): void {
  const slugger = new GithubSlugger();
  const names = new Map<string, string>();
  for (const heading of headingElementsOf(root)) {
    const slug = slugger.slug(nodeText(heading).trim());
    for (const id of [
      textProperty(heading, "id"),
      ...descendantsNamed(heading, "a").map((a) => textProperty(a, "id") || textProperty(a, "name")),
    ]) {
      if (id !== "") names.set(id, slug);
    }
  }
  eachElement(root, (node, parent, index) => {
    if (node.tagName !== "a") return;
    const href = textProperty(node, "href");
    const slug = names.get(percentDecoded(href.slice(1)));
    if (href.startsWith("#") && slug !== undefined) node.properties["href"] = `#${slug}`;
    // remove an anchor without words, which was only a target for links
    if (
      href === "" &&
      nodeText(node).trim() === "" &&
      findElement(node, ({ tagName }) => tagName === "img") === undefined
    )
      parent.children.splice(index, 1, ...node.children);
  });
}

function headingElementsOf(root: Root) {
  return ["h1", "h2", "h3", "h4", "h5", "h6"].flatMap((name) => descendantsNamed(root, name));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
