/** Turns the `changes` of an audit entry into readable lines. */
export interface FieldChange {
  path: string[];
  /** Absent if the entry records a value and not a change. */
  before?: unknown;
  after: unknown;
}

/**
 * Returns a line for each value that differs or was added. Example: `{title: {from, to}, settings: {from: {…}, to:
 * {…}}, format: "csv"}`.
 */
export function fieldChanges(changes: Readonly<Record<string, unknown>>, path: readonly string[] = []): FieldChange[] {
  return Object.entries(changes).flatMap(([name, value]) => linesOf([...path, ...name.split(".")], value));
}

function linesOf(path: string[], value: unknown): FieldChange[] {
  if (!isRecord(value)) return [{ path, after: value }];
  const isChange = Object.keys(value).every((key) => key === "from" || key === "to") && "to" in value;
  if (!isChange) return Object.keys(value).length === 0 ? [] : fieldChanges(value, path);
  return difference(path, value["from"], value["to"]);
}

function difference(path: string[], before: unknown, after: unknown): FieldChange[] {
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .flatMap((name) => difference([...path, name], before[name] ?? null, after[name] ?? null));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
