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
      // Without valid base64 it is no image. It is then handled as any other address that can't be shown.
    }
  });
}
