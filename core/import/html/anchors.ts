import GithubSlugger from "github-slugger";
import type { Root } from "hast";
import { eachElement, descendantsNamed, findElement, textProperty, nodeText } from "#core/markdown/html/elements.ts";
import { percentDecoded } from "#core/text/percent-decoded.ts";

/**
 * Changes links to headings of the document, so that they use this program's names of the headings instead of the other
 * tool's names. Removes link targets without words.
 */
export function renameHeadingLinks(root: Root): void {
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
    // remove an element without words that was only the target of links
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
