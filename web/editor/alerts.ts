/** GitHub's five alerts (`> [!WARNING]`): the only admonitions of this product. */
export const alertKinds = ["note", "tip", "important", "warning", "caution"] as const;
export type AlertKind = (typeof alertKinds)[number];

export const alertLabels: Record<AlertKind, string> = {
  note: "Note",
  tip: "Tip",
  important: "Important",
  warning: "Warning",
  caution: "Caution",
};

const marker = /^\[!(note|tip|important|warning|caution)\](?:\n|$)/i;

/** The marker line a text opens with, as written, and the kind it names. */
export function alertMarker(text: string): { marker: string; kind: AlertKind } | null {
  const [line = "", kind = ""] = marker.exec(text) ?? [];
  if (line === "") return null;
  return { marker: line.trimEnd(), kind: kind.toLowerCase() as AlertKind };
}

export function isAlertKind(value: unknown): value is AlertKind {
  return alertKinds.some((kind) => kind === value);
}
