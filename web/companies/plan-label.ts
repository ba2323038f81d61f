/** The plan's name, such as 'Free' or 'Professional'. */
export function planLabel(value: string): string {
  return value.charAt(0).toUpperCase() + value.slice(1);
}
