export interface ValueOption<K extends string> {
  value: K;
  label: string;
}

/** The options of a select, in the order of their texts. */
export function selectOptionsOf<K extends string>(texts: Readonly<Record<K, string>>): ValueOption<K>[] {
  return (Object.keys(texts) as K[]).map((value) => ({ value, label: texts[value] }));
}
