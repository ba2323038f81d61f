/**
 * The kinds of alerts, most severe first, with their look on screens, in prints and in files. Hazards follow ANSI
 * Z535.6 and have a colored panel with the safety colors of ISO 3864. Remarks (`note` and the like) have no panel.
 */

/** Kinds of alerts about hazards: three grades of harm to people, then harm to things. */
export const hazardKinds = ["danger", "warning", "caution", "notice"] as const;
const remarkKinds = ["important", "note", "tip"] as const;

export type HazardKind = (typeof hazardKinds)[number];
export type AlertKind = HazardKind | (typeof remarkKinds)[number];

export const alertKinds: readonly AlertKind[] = [...hazardKinds, ...remarkKinds];

interface Grade {
  title: string;
  /** The possible harm, or the purpose of the alert. */
  meaning: string;
  /** The color of the panel and the frame. */
  color: string;
  /** The color of the signal word: on the panel of a hazard, or on the tint of a remark. */
  word: string;
  /** The color of the signal word on a dark page, for a remark without a panel. */
  wordOnDark?: string;
  /** The outline of the sign as an SVG path, filled by the rule "evenodd", in a square of 24. */
  sign: string;
  /** A letter in place of the sign, for media with common fonts only. */
  letter: string;
}

const triangle = "M12 2 23 21H1z";
const circle = "M12 2a10 10 0 1 0 0 20 10 10 0 1 0 0-20z";
const bang = "M10.9 9h2.2v6h-2.2zm0 7.2h2.2v2.2h-2.2z";

export const alertGrades: Readonly<Record<AlertKind, Grade>> = {
  danger: {
    title: "Danger",
    meaning: "death or serious injury",
    color: "#c8102e",
    word: "#ffffff",
    sign: "M7.9 2h8.2L22 7.9v8.2L16.1 22H7.9L2 16.1V7.9zM12 4.5 19.1 17H4.9zm-1 4.2h2v3.8h-2zm0 4.9h2v1.9h-2z",
    letter: "⬣",
  },
  warning: {
    title: "Warning",
    meaning: "injury",
    color: "#ff8200",
    word: "#000000",
    sign: triangle + bang,
    letter: "▲",
  },
  caution: {
    title: "Caution",
    meaning: "minor injury",
    color: "#ffd100",
    word: "#000000",
    sign: `${triangle}M12 5.6 4.1 19.2h15.8z${bang}`,
    letter: "△",
  },
  notice: {
    title: "Notice",
    meaning: "damage",
    color: "#0057b8",
    word: "#ffffff",
    sign: `${circle}M10.9 6h2.2v7.5h-2.2zm0 9.2h2.2v2.4h-2.2z`,
    letter: "●",
  },
  important: {
    title: "Important",
    meaning: "needed to succeed",
    color: "#8250c4",
    word: "#5a2a9c",
    wordOnDark: "#cdb0ff",
    sign: "M3 3h18v14H9l-6 5zm2 2v12.5L8.3 15H19V5zm6 1.5h2v4h-2zm0 5.5h2v2h-2z",
    letter: "◆",
  },
  note: {
    title: "Note",
    meaning: "good to know",
    color: "#3b78d1",
    word: "#1f4b8f",
    wordOnDark: "#9cc2ff",
    sign: `${circle}m0 2a8 8 0 1 1 0 16 8 8 0 1 1 0-16zM11 7h2v2h-2zm0 4h2v6h-2z`,
    letter: "○",
  },
  tip: {
    title: "Tip",
    meaning: "makes it easier",
    color: "#2f9e58",
    word: "#14602f",
    wordOnDark: "#7fd6a0",
    sign: "M12 2a7 7 0 0 0-4 12.7V17h8v-2.3A7 7 0 0 0 12 2zM9 19h6v3H9z",
    letter: "◇",
  },
};

export function isAlertKind(kind: unknown): kind is AlertKind {
  return (alertKinds as readonly unknown[]).includes(kind);
}

export function isHazard(kind: unknown): kind is HazardKind {
  return (hazardKinds as readonly unknown[]).includes(kind);
}

/** The share of the alert's color in its background. */
const share = 0.08;

/** The background color of an alert on white paper. */
export function alertTintOf(kind: AlertKind): string {
  const parts = alertGrades[kind].color.match(/[0-9a-f]{2}/g) ?? [];
  const mixed = parts.map((part) => Math.round(255 + (Number.parseInt(part, 16) - 255) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The text of an SVG image with the sign, in the color of the signal word. */
export function signSvgOf(kind: AlertKind): string {
  const { sign, word } = alertGrades[kind];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="${word}" fill-rule="evenodd" d="${sign}"/></svg>`;
}

/** The CSS of alerts on screens and in browser prints. Pages set the margins of alerts themselves. */
export function alertStylesheet(): string {
  return `/* Written by bin/alert-style.ts from core/markdown/alert-grades.ts. */
.alert {
  padding: 0.75em 1em;
  border-inline-start: 4px solid var(--tone);
  border-radius: 0.375em;
  background: color-mix(in srgb, var(--tone) ${share * 100}%, transparent);
  break-inside: avoid;
}
.alert > .alert-title {
  display: flex;
  gap: 0.5em;
  align-items: center;
  margin: 0 0 0.35em;
  color: var(--word);
  font-weight: 700;
  user-select: none;
}
.alert-title::before {
  content: "";
  flex: none;
  width: 24px;
  height: 24px;
  background: currentColor;
  clip-path: var(--sign);
  print-color-adjust: exact;
}
:is(${hazardKinds.map((kind) => `.alert-${kind}`).join(", ")}) {
  border: 2px solid var(--tone);
  > .alert-title {
    margin: -0.75em -1em 0.6em;
    padding: 0.3em 1em;
    background: var(--tone);
    letter-spacing: 0.04em;
    text-transform: uppercase;
    print-color-adjust: exact;
  }
}
${alertKinds.map(alertCssOf).join("")}`;
}

function alertCssOf(kind: AlertKind): string {
  const { color, word, wordOnDark, sign } = alertGrades[kind];
  return `.alert-${kind} {
  --tone: ${color};
  --word: ${wordOnDark === undefined ? word : `light-dark(${word}, ${wordOnDark})`};
  --sign: path(evenodd, "${sign}");
}
`;
}
