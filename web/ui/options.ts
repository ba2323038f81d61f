export interface ValueOption<K extends string> {
  value: K;
  label: string;
}

/** Returns the options of a select, in the order of `texts`. */
export function selectOptionsOf<K extends string>(texts: Readonly<Record<K, string>>): ValueOption<K>[] {
  return (Object.keys(texts) as K[]).map((value) => ({ value, label: texts[value] }));
}
