/** Recognizes words that protect a reader: prohibitions, hazards, protective equipment and limits. */
import { physicalUnits } from "../text/units.ts";
import { hazardStems, hazardWords, safeguardWords } from "./hazard-words.ts";

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
const words = new RegExp(
  `(?<!\\p{L})(?:${[...prohibitions, ...hazardWords, ...safeguardWords, ...equipment].join("|")})(?!\\p{L})`,
  "iu",
);
const stems = new RegExp(hazardStems, "iu");
/** Words that make a number without a unit a limit: "Limit: 4.5", "between 6 and 8". */
const comparisons = [
  "limits?|between|at (?:most|least)|up to|(?:more|less|greater|higher|lower) than|above|below|over|under|minimum",
  "grenzwerte?|grenzen?|zwischen|mindestens|wenigstens|bis zu|(?:mehr|weniger|größer|kleiner|höher|niedriger) als|über|unter|minimal",
  "limites?|entre|au (?:plus|moins)|jusqu['’]à|(?:plus|moins) de|(?:supérieur|inférieur)\\p{L}* à|minimum",
  "límites?|como (?:máximo|mínimo)|al menos|hasta|(?:más|menos) de|(?:superior|inferior)\\p{L}* a|mínimo",
  "limit[ei]|tra|fra|al (?:massimo|minimo)|almeno|fino a|(?:più|meno) di|minimo",
  "grens(?:waarden?)?|tussen|hoogstens|minstens|ten (?:hoogste|minste)|tot|(?:meer|minder|hoger|lager) dan|boven|onder|minimaal",
  "no (?:máximo|mínimo)|pelo menos|até|(?:mais|menos) de",
];
const compared = new RegExp(`(?<!\\p{L})(?:${comparisons.join("|")})(?!\\p{L})[^.!?;\\n\\d]{0,30}\\d`, "iu");
const limit = new RegExp(`\\d\\s*(?:[°%‰Ω]|(?:${physicalUnits})(?![\\p{L}\\d]))|[≤≥<>]\\s*\\d`, "u");

/** Tells whether a text contains a prohibition, a hazard, protective equipment or a limit. */
export function hasSafetyContent(text: string): boolean {
  const plain = text.normalize("NFC");
  return words.test(plain) || stems.test(plain) || limit.test(plain) || compared.test(plain) || signs.test(plain);
}
