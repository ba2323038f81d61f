import type { Root } from "hast";
import { eachElement, property } from "./elements.ts";

/** Pictures inside the text (`data:` addresses) become files beside it. */
export function takeDataImages(root: Root, images: Map<string, Uint8Array>): void {
  eachElement(root, (node) => {
    if (node.tagName !== "img") return;
    const [, kind, data] = /^data:image\/([a-z0-9.+-]+);base64,([A-Za-z0-9+/=\s]+)$/i.exec(property(node, "src")) ?? [];
    if (kind === undefined || data === undefined) return;
    const name = `embedded-${images.size + 1}.${kind.replace(/\W.*/, "")}`;
    try {
      images.set(
        name,
        Uint8Array.from(atob(data), (character) => character.charCodeAt(0)),
      );
      node.properties["src"] = name;
    } catch {
      // What is no base64 is no picture: it goes the way of every other address that can't be shown.
    }
  });
}
