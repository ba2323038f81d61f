import type { Page } from "playwright-core";

/**
 * Targets smaller than 24 by 24 CSS pixels (WCAG 2.5.8, without its exception for small ones far apart): `tag "name":
 * size`, for each. A label counts with its field, and an overlay of a card with its link. A link within a sentence is
 * as high as its line.
 */
export async function targetFaultsOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const least = 24;
    const pressed =
      "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=option], [role^=menuitem], [role=switch]";
    const isInSentence = (link: Element) => {
      if (!link.matches("a") || getComputedStyle(link).display !== "inline") return false;
      const block = link.parentElement;
      return (block?.textContent ?? "").trim() !== (link.textContent ?? "").trim();
    };
    /** The middle of the visible part of a target, because a container can cut a long name. */
    const middleOf = (target: HTMLElement): [x: number, y: number] => {
      let { left, right, top, bottom } = target.getBoundingClientRect();
      for (let box = target.parentElement; box; box = box.parentElement) {
        if (getComputedStyle(box).overflowX === "visible") continue;
        const around = box.getBoundingClientRect();
        [left, right] = [Math.max(left, around.left), Math.min(right, around.right)];
        [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
      }
      return [(left + right) / 2, (top + bottom) / 2];
    };
    /** Says whether a finger can press the points just inside the corners of the square around its middle. */
    const answersAround = (target: HTMLElement) => {
      target.scrollIntoView({ block: "center" });
      const [x, y] = middleOf(target);
      const places = [target, ...(target instanceof HTMLInputElement ? (target.labels ?? []) : [])];
      // a target under another element can't be pressed
      if (!places.some((place) => place.contains(document.elementFromPoint(x, y)))) return true;
      const reach = least / 2 - 1;
      return [-reach, reach].every((across) =>
        [-reach, reach].every((down) => {
          const at = document.elementFromPoint(x + across, y + down);
          const layer = at?.closest("[role=dialog]");
          return places.some((place) => place.contains(at)) || (layer && !layer.contains(target));
        }),
      );
    };
    const faults = new Set<string>();
    for (const target of document.body.querySelectorAll<HTMLElement>(pressed)) {
      if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (target.matches(":disabled") || target.closest("[aria-hidden=true], [inert]")) continue;
      const { width, height } = target.getBoundingClientRect();
      // elements for screen readers alone are one pixel large until they have the focus
      if (width <= 1 || height <= 1 || (width >= least && height >= least)) continue;
      if (isInSentence(target) || answersAround(target)) continue;
      const name = target.getAttribute("aria-label") ?? target.textContent ?? "";
      faults.add(
        `${target.tagName.toLowerCase()} "${name.trim().slice(0, 40)}": ${Math.round(width)} × ${Math.round(height)}`,
      );
    }
    // later checks would find targets half under the top bar
    window.scrollTo(0, 0);
    return [...faults].slice(0, 20);
  });
}
