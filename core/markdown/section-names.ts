/** The kinds of sections of an SOP, in the order of the template (EPA QA/G-6). */
export const sectionKinds = [
  "purpose",
  "scope",
  "responsibilities",
  "definitions",
  "safety",
  "equipment",
  "prerequisites",
  "procedure",
  "records",
  "references",
] as const;

export type SectionKind = (typeof sectionKinds)[number];

/** Tells whether section names of a language are known. A text without a language counts as English. */
export function hasSectionNamesIn(lang: unknown): boolean {
  return typeof lang !== "string" || /^(?:en|eng|english|de|fr|es|it|nl|pt)?(?:[-_].*)?$/i.test(lang.trim());
}

/**
 * The sections' usual names, in lower case: English, German, French, Spanish, Italian, Dutch, Portuguese. Names of
 * safety sections are also in other languages, because these sections are shown before the first step.
 */
const names: Record<SectionKind, readonly RegExp[]> = {
  purpose: [
    /^(?:purpose|objectives?|aims?|goals?|introduction|summary|overview)$/,
    /^(?:zweck|ziele?|zielsetzung|einleitung|einführung)$/,
    /^(?:objet|objectifs?|but|finalité|finalidad|objeto|objetivos?|propósito|introducción|introdução|finalidade)$/,
    /^(?:scopo|obiettivi|obiettivo|finalità|introduzione|doel|doelstelling|inleiding)$/,
  ],
  scope: [
    /^(?:scope|applicability|application|coverage)$/,
    /^(?:geltungsbereich|anwendungsbereich|gültigkeitsbereich)$/,
    /^(?:domaine d['’]application|champ d['’]application|portée|alcance|ámbito(?: de aplicación)?)$/,
    /^(?:campo di applicazione|ambito(?: di applicazione)?|toepassingsgebied|reikwijdte|âmbito|escopo|aplicação)$/,
  ],
  responsibilities: [
    /^(?:responsibilit(?:y|ies)|roles?|personnel|responsible (?:person|people|roles?)|owners?)$/,
    /^(?:verantwortlichkeit(?:en)?|verantwortung|zuständigkeit(?:en)?|rollen)$/,
    /^(?:responsabilités?|rôles?|responsabilidad(?:es)?|responsabilidades?|papéis)$/,
    /^(?:responsabilità|ruoli|verantwoordelijkhe(?:id|den))$/,
  ],
  definitions: [
    /^(?:definitions?|terms|terminology|glossary|abbreviations|acronyms)$/,
    /^(?:begriffe|definition(?:en)?|abkürzungen|glossar)$/,
    /^(?:définitions?|glossaire|abréviations|definiciones|glosario|abreviaturas)$/,
    /^(?:definizioni|glossario|abbreviazioni|definities|begrippen|afkortingen|definições|glossário|siglas)$/,
  ],
  safety: [
    /^(?:(?:general |important |potential |main )?(?:safety|health|hazards?|dangers?|risks|warnings?|cautions?|precautions?))$/,
    /^(?:(?:general |important )?(?:safety|hazard) (?:warnings?|precautions?|information|measures|notes?|rules|instructions|requirements|guidelines|first))$/,
    /^(?:(?:arbeits)?sicherheit|arbeitsschutz|(?:mögliche )?gefahren(?:hinweise)?|warnhinweise|warnungen|risiken)$/,
    /^(?:(?:allgemeine |wichtige )?(?:sicherheits|schutz)(?:hinweise|vorkehrungen|maßnahmen|regeln|anweisungen|vorschriften))$/,
    /^(?:sécurité|(?:consignes|règles) de sécurité|dangers|précautions|avertissements|seguridad|advertencias|peligros|precauciones)$/,
    /^(?:sicurezza|pericoli|avvertenze|precauzioni|veiligheid|gevaren|waarschuwingen|segurança|perigos|advertências|precauções)$/,
    /^(?:(?:operating |safety |exposure )?limits?(?: values?)?|grenzwerte|(?:valeurs )?limites|(?:valores )?límites?|limiti|valori limite|grenswaarden|valores[- ]limite)$/,
    /^(?:bezpieczeństwo|zagrożenia|ostrzeżenia|środki ostrożności|wartości graniczne|limity|bezpečnost|nebezpečí|rizika|varování|mezní hodnoty)$/,
    /^(?:säkerhet|faror|risker|varningar|gränsvärden|sikkerhe[dt]|farer?|risici|risiko(?:er)?|advars(?:ler|el)|grenseverdier|grænseværdier|turvallisuus|vaarat|riskit|varoitukset|raja-arvot)$/,
    /^(?:безпека|небезпеки?|ризики|граничні значення|безопасность|опасност[иь]|риски|предельные значения)$/,
    /^(?:安全(?:上の注意|注意事項|须知|注意事项)?|危険(?:性|有害性)?|危险(?:源)?|危險|警告|注意事項|限界値|管理値|限值|限度|안전(?: ?수칙| ?주의사항)?|위험(?: ?요인)?|경고|주의사항|한계값)$/,
  ],
  equipment: [
    /^(?:(?:required |necessary |needed )?(?:equipment|materials?|tools|supplies|reagents|consumables)(?: (?:required|needed|list))?)$/,
    /^(?:(?:benötigte |erforderliche |notwendige )?(?:geräte|ausrüstung|material(?:ien)?|arbeitsmittel|hilfsmittel|werkzeuge?))$/,
    /^(?:matériels?|équipements?|outils|matériaux|équipo|equipos|materiales?|herramientas)$/,
    /^(?:(?:required |necessary )?(?:(?:personal )?protective (?:equipment|clothing|gear)|ppe|safety (?:equipment|gear))(?: required)?|(?:what )?you need|what to wear)$/,
    /^(?:(?:erforderliche |notwendige )?(?:(?:persönliche )?schutz(?:ausrüstung|kleidung)|psa)|équipements? de protection(?: individuelle)?|vêtements de protection)$/,
    /^(?:(?:equipos?|elementos) de protección(?: (?:individual|personal))?|ropa de protección|epp|epi|dispositivi di protezione(?: individuale)?|dpi)$/,
    /^(?:(?:persoonlijke )?beschermingsmiddelen|beschermende kleding|pbm|equipamentos? de proteção(?: individual)?)$/,
    /^(?:środki ochrony (?:indywidualnej|osobistej)|śoi|sprzęt(?: ochronny)?|wyposażenie|narzędzia|(?:osobní )?ochranné (?:pracovní )?(?:prostředky|pomůcky)|oopp|vybavení|pomůcky)$/,
    /^(?:(?:personlig )?skyddsutrustning|utrustning|verktyg|(?:personlige )?værnemidler|udstyr|værktøj|(?:personlig )?verneutstyr|utstyr|verktøy|henkilönsuojaimet|suoja(?:imet|varusteet)|varusteet|työkalut)$/,
    /^(?:засоби індивідуального захисту|зіз|обладнання|інструменти|(?:средства индивидуальной|средства) защиты|сиз|оборудование|инструменты)$/,
    /^(?:(?:個人用)?保護具|(?:必要な)?(?:器具|道具|工具|機材)|(?:个人)?防护(?:装备|用品)|(?:個人)?防護(?:裝備|用品)|设备|設備|(?:개인 ?)?보호 ?(?:구|장비)|장비|도구)$/,
    /^(?:attrezzature?|materiali|strumenti|uitrusting|materialen|gereedschap(?:pen)?|benodigdheden|equipamentos?|materiais|ferramentas)$/,
  ],
  prerequisites: [
    /^(?:prerequisites?|preconditions|requirements|before (?:you (?:begin|start)|starting(?: work)?|work(?: begins)?|beginning)|qualifications)$/,
    /^(?:voraussetzungen|vorbedingungen|anforderungen|qualifikation(?:en)?)$/,
    /^(?:prérequis|conditions préalables|requisitos(?: previos)?|condiciones previas)$/,
    /^(?:prerequisiti|requisiti|vereisten|voorwaarden|pré-requisitos)$/,
  ],
  procedure: [
    /^(?:procedures?|process|steps|instructions?|work instructions?|step[- ]by[- ]step|methods?|protocol|workflow)$/,
    /^(?:durchführung|vorgehen(?:sweise)?|ablauf|verfahren|arbeitsschritte|arbeitsablauf|anleitung|schritte|prozess)$/,
    /^(?:procédures?|mode opératoire|déroulement|étapes|instructions de travail|procedimientos?|pasos|desarrollo|proceso)$/,
    /^(?:procedura|procedimento|istruzioni(?: operative)?|fasi|werkwijze|stappen|werkinstructies?|procedimentos|passos|etapas|instruções)$/,
  ],
  records: [
    /^(?:records?|record[- ]keeping|record retention|retention)$/,
    /^(?:aufzeichnungen|dokumentation|nachweise|aufbewahrung)$/,
    /^(?:enregistrements|archivage|traçabilité|registros?|archivo)$/,
    /^(?:registrazioni|archiviazione|registraties|archivering|registos?|arquivamento)$/,
  ],
  references: [
    /^(?:references|related (?:documents|documentation|procedures|sops)|see also|further reading|sources)$/,
    /^(?:referenzen|verweise|mitgeltende (?:dokumente|unterlagen)|literatur|quellen|siehe auch)$/,
    /^(?:références|documents (?:de référence|associés|liés)|voir aussi|referencias|documentos (?:relacionados|de referencia)|véase también)$/,
    /^(?:riferimenti|documenti (?:correlati|di riferimento)|vedi anche|referenties|verwijzingen|gerelateerde documenten|zie ook|referências|documentos de referência|ver também)$/,
  ],
};

const number =
  /^(?:(?:section|abschnitt|kapitel|chapitre|sección|sezione|hoofdstuk|secção|seção)\s+)?(?:\d+(?:\.\d+)*|[ivx]+(?=[.)]))[.):]?\s+(?:[-–—]\s+)?/;

/** Symbols before the words, such as an emoji. */
const decoration = /^[^\p{L}\p{N}]+/u;

/**
 * Matches headings that name a procedure together with its work: "Cleaning procedure", "Durchführung der Reinigung".
 */
const work = [
  /\p{L} (?:procedures?|process|steps|instructions?|method|protocol|workflow)$/u,
  /^(?:procedure|process|steps|instructions|method|protocol|workflow) (?:for|of|to) \p{L}/u,
  /\p{L}(?:durchführung|ablauf|verfahren|schritte|anleitung|prozess)$/u,
  /^(?:durchführung|ablauf|schritte|anleitung|vorgehen(?:sweise)?) (?:der|des|zu[mr]?|bei|für) \p{L}/u,
  /^(?:procédures?|étapes|mode opératoire|déroulement|procedimientos?|pasos|procedura|fasi|istruzioni|procedimento|passos|etapas|werkwijze|stappen) (?:d[eiou]|d['’]|du|des|del|della|dell['’]|da|do|para|per|pour|van|voor)(?:\s|\p{L})/u,
];

/** Tells whether a heading names a procedure together with its work, such as "Cleaning procedure". */
export function isWorkTitle(title: string): boolean {
  const words = comparableTitle(title);
  return !isHelpTitle(title) && sectionKindsOf(title).length === 0 && work.some((name) => name.test(words));
}

/**
 * The kinds of sections that a heading names: "3. Roles and responsibilities" → responsibilities, "2 Zweck und
 * Geltungsbereich" → purpose and scope.
 */
export function sectionKindsOf(title: string): SectionKind[] {
  const words = comparableTitle(title);
  const parts = [words, ...titlePartsOf(words)];
  return sectionKinds.filter((kind) => parts.some((part) => isNameOfKind(part, kind)));
}

/** Tells whether a heading says only that steps follow: "4. Procedure", "Steps", but not "Night shift procedure". */
export function isProcedureTitle(title: string): boolean {
  return titlePartsOf(comparableTitle(title)).every((part) => isNameOfKind(part, "procedure"));
}

const backgroundKinds = ["purpose", "scope", "responsibilities", "definitions", "references"] as const;

/** Matches headings such as "Introduction", whose text can be about anything. */
const introduction = /^(?:intro|einleitung|einführung|inleiding|summary|overview)/;

/** Tells whether a heading names only content that readers don't need at work: "Scope", but not "Scope and limits". */
export function isBackgroundTitle(title: string): boolean {
  const words = comparableTitle(title);
  const isBackgroundName = (part: string) =>
    !introduction.test(part) && backgroundKinds.some((kind) => isNameOfKind(part, kind));
  return isBackgroundName(words) || titlePartsOf(words).every(isBackgroundName);
}

/** Matches headings about the history and approval of the document itself, which readers don't need at work. */
const control =
  /^(?:(?:document|revision|version|change) (?:history|control|log)|history|approvals?|distribution(?: list)?|(?:änderungs|versions|revisions)(?:historie|verlauf|verzeichnis|stand)|freigabe|verteiler|historique(?: des (?:versions|révisions|modifications))?|historial(?: de (?:versiones|cambios|revisiones))?|cronologia(?: delle revisioni)?|versiegeschiedenis|histórico(?: de (?:versões|revisões))?)$/;

/** Tells whether a heading names only document control. */
export function isDocumentControlTitle(title: string): boolean {
  return control.test(comparableTitle(title));
}

/** Matches headings about help: what to do in an emergency, and whom to call. */
const help = [
  /^(?:(?:in (?:an|case of(?: an)?) )?emergenc(?:y|ies)(?: (?:contacts?|numbers?|procedures?|response|information|plan))?)$/,
  /^(?:first[- ]aid(?: measures)?|(?:key |important |useful )?contacts?(?: (?:details|information|list|persons?|people|numbers?))?)$/,
  /^(?:(?:tele)?phone numbers|who(?:m)? to (?:call|contact)|help|getting help)$/,
  /^(?:(?:im )?notf[aä]lle?|verhalten im notfall|notfall(?:nummern|kontakte?|maßnahmen|plan)|notruf(?:nummern)?|erste[- ]hilfe(?:-?maßnahmen)?)$/,
  /^(?:(?:notfall)?kontakte?|kontaktdaten|ansprechpartner(?:innen)?|ansprechpersonen|(?:wichtige )?(?:telefon|ruf)nummern)$/,
  /^(?:(?:en cas d['’])?urgences?|numéros d['’]urgence|premiers secours|contacts(?: d['’]urgence)?|personnes à contacter|coordonnées|numéros utiles)$/,
  /^(?:(?:en caso de )?emergencias?|(?:números|teléfonos|contactos) de emergencia|primeros auxilios|contactos?|teléfonos)$/,
  /^(?:(?:in caso di )?emergenz[ae]|(?:numeri|contatti) (?:di emergenza|utili)|primo soccorso|contatti|recapiti)$/,
  /^(?:(?:bij |in geval van )?nood(?:geval(?:len)?)?|noodnummers?|eerste hulp|ehbo|contact(?:en|gegevens|personen)?|telefoonnummers)$/,
  /^(?:(?:em caso de )?emergências?|(?:números|contac?tos) de emergência|primeiros socorros|contac?tos?|telefones)$/,
];

/** Tells whether a heading names only emergencies, first aid or people to call. */
export function isHelpTitle(title: string): boolean {
  return titlePartsOf(comparableTitle(title)).every((part) => help.some((name) => name.test(part)));
}

function comparableTitle(title: string): string {
  const words = title
    .normalize("NFC")
    .toLowerCase()
    .replace(/\u00ad/g, "")
    .replace(decoration, "");
  return words.replace(number, "").replace(/[:.!?\s]+$/, "");
}

/** Splits a title into the names in it: "Personal protective equipment (PPE)" has two. */
function titlePartsOf(words: string): string[] {
  return words.replace(/\)$/, "").split(/\s*(?:[,&/(・、]|(?<=\s)(?:and|und|et|y|e|en|i|och|og|ja|та|и)(?=\s))\s*/);
}

function isNameOfKind(words: string, kind: SectionKind): boolean {
  return names[kind].some((name) => name.test(words));
}
