/** Converts the page's colors to a form that Mermaid can calculate with. */

export interface DiagramLook {
  isDark: boolean;
  /** Mermaid's `themeVariables`. */
  colors: Record<string, string>;
}

const tokens = {
  background: "bg",
  textColor: "text",
  titleColor: "text",
  lineColor: "muted",
  primaryColor: "primary-soft",
  primaryTextColor: "text",
  primaryBorderColor: "primary",
  secondaryColor: "sunken",
  secondaryTextColor: "text",
  secondaryBorderColor: "control",
  tertiaryColor: "paper",
  tertiaryTextColor: "text",
  tertiaryBorderColor: "control",
  clusterBkg: "paper",
  clusterBorder: "control",
  edgeLabelBackground: "bg",
  noteBkgColor: "warning-soft",
  noteTextColor: "text",
  noteBorderColor: "warning",
  pie1: "primary-soft",
  pie2: "warning-soft",
  pie3: "success-soft",
  pie4: "destructive-soft",
  pie5: "sunken",
  pieStrokeColor: "control",
  pieOuterStrokeColor: "control",
} as const;

/** Returns the look on screen, and for a dark theme also the look in print. */
export function diagramLooksOf(place: HTMLElement, isDark: boolean): DiagramLook[] {
  return (isDark ? [true, false] : [false]).map((dark) => ({ isDark: dark, colors: diagramColorsIn(place, dark) }));
}

function diagramColorsIn(place: HTMLElement, isDark: boolean): Record<string, string> {
  const probe = document.createElement("span");
  probe.hidden = true;
  probe.style.colorScheme = isDark ? "dark" : "light";
  place.append(probe);
  const computed = getComputedStyle(probe);
  const colors = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(--${token})`;
    return [name, hexColorOf(computed.color)] as const;
  });
  probe.remove();
  return Object.fromEntries(colors);
}

/** Converts a CSS color to hexadecimal: `oklch(0.5 0.1 20)` → `#aabbcc`. */
function hexColorOf(color: string): string {
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  if (!pen) return color;
  pen.fillStyle = color;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
