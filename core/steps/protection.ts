/** Recognizes words that protect a reader: prohibitions, hazards, protective equipment and limits. */
import { physicalUnits } from "../text/units.ts";

/**
 * Prohibitions in English, German, French, Spanish, Italian, Dutch and Portuguese, as in `core/ai/words`. Phones don't
 * load those longer lists.
 */
const prohibitions = [
  "never|not|cannot|can['’]t|\\p{L}+n['’]t|no|none|neither|nor|prohibited|forbidden|avoid\\p{L}*|max(?:imum)?|exceed\\p{L}*",
  "nie|niemals|nicht|nichts|kein\\p{L}*|weder|noch|verboten|untersagt|unzulässig\\p{L}*|vermeid\\p{L}*|vermieden|höchstens|maximal",
  "jamais|pas|aucun\\p{L}*|ni|non|rien|interdit\\p{L}*|défense|prohib\\p{L}*|évit\\p{L}*",
  "nunca|jamás|ningún\\p{L}*|ninguna|nada|prohíb\\p{L}*|evit\\p{L}*|máximo|máx",
  "mai|nessun\\p{L}*|né|niente|vietat\\p{L}*|proibi\\p{L}*|massimo|non",
  "nooit|nimmer|niet|geen|niets|verboden|vermijd\\p{L}*|vermeden|voorkom|maximaal",
  "não|nenhum\\p{L}*|nem|jamais",
];
const hazards = [
  "danger\\p{L}*|warning|caution|hazard\\p{L}*|toxic|poison\\p{L}*|flammable|explos\\p{L}*|corrosive|high voltage",
  "gefahr\\p{L}*|gefähr\\p{L}*|lebensgefahr|warnung|vorsicht|achtung|giftig\\p{L}*|ätzend\\p{L}*|entzünd\\p{L}*|hochspannung",
  "attention|avertissement|toxique\\p{L}*|inflammable\\p{L}*|corrosi[fv]\\p{L}*|haute tension",
  "pelig\\p{L}*|advertencia|precaución|atención|tóxic\\p{L}*|inflamable\\p{L}*|corrosiv\\p{L}*|alta tensión",
  "pericol\\p{L}*|attenzione|avvertenza|tossic\\p{L}*|infiammabil\\p{L}*|esplos\\p{L}*|alta tensione",
  "gevaar\\p{L}*|waarschuwing|voorzichtig\\p{L}*|pas op|ontvlambaar|bijtend\\p{L}*|hoogspanning",
  "perig\\p{L}*|advertência|aviso|atenção|cuidado|inflamáve\\p{L}*|alta tensão",
];
const equipment = [
  "gloves?|goggles|safety (?:glasses|shoes)|eyewear|masks?|respirators?|helmets?|hard hats?|aprons?|ear ?(?:plugs|muffs)|boots|harness|face shields?|lab coats?|hi-vis|protective|protection|ppe|wear\\p{L}*",
  "\\p{L}*handschuh\\p{L}*|\\p{L}*schutzbrillen?|brillen?|schutz\\p{L}*|\\p{L}*helme?|\\p{L}*masken?|\\p{L}*schürzen?|\\p{L}*stiefel|sicherheitsschuhe?|gehörschutz|atemschutz|psa|kittel",
  "gants?|lunettes|masques?|casques?|tabliers?|bottes|harnais|epi|blouse|chaussures de sécurité",
  "guantes?|gafas|máscaras?|mascarillas?|cascos?|delantal\\p{L}*|botas|arnés|protección|epp|bata",
  "guanti|occhiali|maschere?|mascherin[ae]|casc(?:o|hi)|elmetto|grembiule|stivali|imbracatura|protezione|protettiv\\p{L}*|dpi|camice",
  "\\p{L}*handschoen\\p{L}*|\\p{L}*bril|\\p{L}*masker|schort|laarzen|veiligheidsschoen\\p{L}*|bescherm\\p{L}*|gehoorbescherm\\p{L}*|pbm",
  "luvas?|óculos|capacetes?|aventa\\p{L}*|proteção|protetor\\p{L}*|epis|jaleco",
];
const signs = /[⚠⛔☠☢☣🚫]/u;
const words = new RegExp(`(?<!\\p{L})(?:${[...prohibitions, ...hazards, ...equipment].join("|")})(?!\\p{L})`, "iu");
const limit = new RegExp(`\\d\\s*(?:[°%‰Ω]|(?:${physicalUnits})(?![\\p{L}\\d]))|[≤≥<>]\\s*\\d`, "u");

/** Tells whether a text names something that a reader must not do, must wear, or must not exceed. */
export function protects(text: string): boolean {
  const plain = text.normalize("NFC");
  return words.test(plain) || limit.test(plain) || signs.test(plain);
}
