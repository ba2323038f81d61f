import type { Element, Root } from "hast";
import { textProperty } from "./elements.ts";
import { lossTexts, type Losses } from "./losses.ts";
import { cssValueOf } from "./styles.ts";

/** Pairs of a character and the sign that a symbol font shows for it. */
const signs: Readonly<Record<string, string>> = {
  symbol:
    "AΑBΒCΧDΔEΕFΦGΓHΗIΙJϑKΚLΛMΜNΝOΟPΠQΘRΡSΣTΤUΥVςWΩXΞYΨZΖaαbβcχdδeεfφgγhηiιjϕkκlλmμnνoοpπqθrρsσtτuυvϖwωxξyψzζ" +
    "\"∀$∃'∋*∗-−@≅^⊥~∼¢′£≤¥∞«↔¬←\u00AD↑®→¯↓°°±±²″³≥´×µ∝¶∂··¸÷¹≠º≡»≈Å⊕Ö√Ü⇐Þ⇒å∑",
  wingdings: '!✏"✂(☎*✉?✍F☞J☺L☹l●n■o☐p☐q☐r☐u◆v❖x☒\u00A7▪¨☐Ø➢à→á↑â↓ß←è➔ð⇨û✘ü✔ý☒þ☑',
  "wingdings 2": "*☐O✗P✓Q☒R☑S☒T☒£☐",
  webdings: "a✓c☐r✗",
};

const tables = new Map(
  Object.entries(signs).map(([font, pairs]) => {
    const characters = [...pairs];
    return [
      font,
      new Map(characters.flatMap((from, at) => (at % 2 === 0 ? [[from, characters[at + 1] ?? from]] : []))),
    ];
  }),
);

/** Replaces characters in symbol fonts by the signs that readers see: in the font Symbol, `m` is μ. */
export function replaceSymbolFontCharacters(root: Root, losses: Losses): void {
  const showInChildren = (parent: Root | Element, font: string): void => {
    for (const node of parent.children) {
      if (node.type === "element") showInChildren(node, symbolFontOf(node) ?? font);
      else if (node.type === "text" && tables.has(font)) node.value = symbolsAsUnicode(node.value, font, losses);
    }
  };
  showInChildren(root, "");
}

function symbolFontOf(node: Element): string | undefined {
  const style = cssValueOf(textProperty(node, "style"), "font-family");
  const family = style === "" && node.tagName === "font" ? textProperty(node, "face").toLowerCase() : style;
  return family === ""
    ? undefined
    : family
        .replace(/,[^]*$/, "")
        .replace(/["']/g, "")
        .trim();
}

function symbolsAsUnicode(text: string, font: string, losses: Losses): string {
  return [...text]
    .map((character) => {
      const point = character.codePointAt(0) ?? 0;
      // symbol fonts also have their signs at private characters from U+F020 on
      const own = point >= 0xf020 && point <= 0xf0ff ? String.fromCodePoint(point - 0xf000) : character;
      const sign = tables.get(font)?.get(own);
      const isSame = font === "symbol" && /[\s!#%&()+,./0-9:;<=>?[\]_{|}]/.test(own);
      if (sign === undefined && !isSame && own > " " && own < "\u0100" && own !== "\u00A0")
        losses.add(lossTexts.symbol(), `${own} (${font})`);
      return sign ?? (isSame ? own : character);
    })
    .join("");
}
