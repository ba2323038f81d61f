/** Words, figures and scripts of procedures. */
import type { Random } from "../audit-tamper.ts";

export const latin =
  "Open close valve pump check log batch note sign call wait heat cool oil seal lamp door gate Start stop".split(" ");
const others = ["阀门", "バルブ", "צינור", "صمام", "überprüfen", "№5", "naïve", "Ωmega"];
const figures = ["80 °C", "20–25 °C", "5 mg", "1,000.50", "≤ 7 bar", "12/2026", "AB-1200", "3.5", "−4 °C", "10 %"];

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)] as T;
}

export function words(random: Random, most = 4): string {
  const count = 1 + random(most);
  return Array.from({ length: count }, () => {
    const one = random(10);
    if (one < 6) return pick(random, latin);
    return one < 8 ? pick(random, figures) : pick(random, others);
  }).join(" ");
}
