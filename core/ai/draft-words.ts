/** The words that the program, not the model, writes into a draft: headings, table headers, labels. */
export interface DraftWords {
  purpose: string;
  scope: string;
  responsibilities: string;
  role: string;
  responsibility: string;
  safety: string;
  equipment: string;
  procedure: string;
  records: string;
  record: string;
  place: string;
  keptFor: string;
  references: string;
  check: string;
  /** The author ticks off the tasks under this heading. */
  assumptions: string;
  /** Returns the assumption that a reference to an unknown SOP exists. */
  exists: (label: string) => string;
  /** Returns the task for a figure or prohibition of the request that the draft doesn't have. */
  missing: (words: string) => string;
  /** Returns the task for a figure in the title or description that the request doesn't have. */
  unasked: (figure: string) => string;
  /** Returns the task for a sentence that seems to break a prohibition of the request. */
  against: (words: string, sentence: string) => string;
  /** Returns the task to check several figures of one unit, which the draft could have confused. */
  places: (figures: string) => string;
}

const english: DraftWords = {
  purpose: "Purpose",
  scope: "Scope",
  responsibilities: "Responsibilities",
  role: "Role",
  responsibility: "Responsibility",
  safety: "Safety",
  equipment: "Equipment",
  procedure: "Procedure",
  records: "Records",
  record: "Record",
  place: "Place",
  keptFor: "Kept for",
  references: "References",
  check: "Check:",
  assumptions: "Assumptions to confirm",
  exists: (label) => `The reference "${label}" exists.`,
  missing: (words) => `The request says “${words}”: it is missing here.`,
  unasked: (figure) => `The title or description says ${figure}: the request doesn’t.`,
  against: (words, sentence) => `The request says “${words}”, and this text says “${sentence}”.`,
  places: (figures) => `Each figure is at its place: ${figures}.`,
};

const words: Readonly<Record<string, DraftWords>> = {
  en: english,
  de: {
    purpose: "Zweck",
    scope: "Geltungsbereich",
    responsibilities: "Verantwortlichkeiten",
    role: "Rolle",
    responsibility: "Aufgabe",
    safety: "Sicherheit",
    equipment: "Arbeitsmittel",
    procedure: "Durchführung",
    records: "Aufzeichnungen",
    record: "Aufzeichnung",
    place: "Ort",
    keptFor: "Aufbewahrung",
    references: "Mitgeltende Dokumente",
    check: "Prüfen:",
    assumptions: "Zu bestätigende Annahmen",
    exists: (label) => `Das Dokument „${label}“ gibt es.`,
    missing: (words) => `Der Auftrag sagt „${words}“: das fehlt hier.`,
    unasked: (figure) => `Titel oder Beschreibung nennt ${figure}: der Auftrag nicht.`,
    against: (words, sentence) => `Der Auftrag sagt „${words}“, und dieser Text sagt „${sentence}“.`,
    places: (figures) => `Jede Angabe steht an ihrer Stelle: ${figures}.`,
  },
  fr: {
    purpose: "Objet",
    scope: "Domaine d’application",
    responsibilities: "Responsabilités",
    role: "Rôle",
    responsibility: "Responsabilité",
    safety: "Sécurité",
    equipment: "Matériel",
    procedure: "Procédure",
    records: "Enregistrements",
    record: "Enregistrement",
    place: "Lieu",
    keptFor: "Conservation",
    references: "Références",
    check: "Vérifier :",
    assumptions: "Hypothèses à confirmer",
    exists: (label) => `Le document « ${label} » existe.`,
    missing: (words) => `La demande dit « ${words} » : cela manque ici.`,
    unasked: (figure) => `Le titre ou la description indique ${figure} : la demande non.`,
    against: (words, sentence) => `La demande dit « ${words} », et ce texte dit « ${sentence} ».`,
    places: (figures) => `Chaque valeur est à sa place : ${figures}.`,
  },
  es: {
    purpose: "Objetivo",
    scope: "Alcance",
    responsibilities: "Responsabilidades",
    role: "Función",
    responsibility: "Responsabilidad",
    safety: "Seguridad",
    equipment: "Equipos",
    procedure: "Procedimiento",
    records: "Registros",
    record: "Registro",
    place: "Lugar",
    keptFor: "Conservación",
    references: "Referencias",
    check: "Comprobar:",
    assumptions: "Supuestos por confirmar",
    exists: (label) => `El documento «${label}» existe.`,
    missing: (words) => `La petición dice «${words}»: falta aquí.`,
    unasked: (figure) => `El título o la descripción indica ${figure}: la petición no.`,
    against: (words, sentence) => `La petición dice «${words}», y este texto dice «${sentence}».`,
    places: (figures) => `Cada cifra está en su sitio: ${figures}.`,
  },
  it: {
    purpose: "Scopo",
    scope: "Campo di applicazione",
    responsibilities: "Responsabilità",
    role: "Ruolo",
    responsibility: "Compito",
    safety: "Sicurezza",
    equipment: "Attrezzature",
    procedure: "Procedura",
    records: "Registrazioni",
    record: "Registrazione",
    place: "Luogo",
    keptFor: "Conservazione",
    references: "Riferimenti",
    check: "Verificare:",
    assumptions: "Ipotesi da confermare",
    exists: (label) => `Il documento «${label}» esiste.`,
    missing: (words) => `La richiesta dice «${words}»: qui manca.`,
    unasked: (figure) => `Il titolo o la descrizione indica ${figure}: la richiesta no.`,
    against: (words, sentence) => `La richiesta dice «${words}», e questo testo dice «${sentence}».`,
    places: (figures) => `Ogni cifra è al suo posto: ${figures}.`,
  },
  nl: {
    purpose: "Doel",
    scope: "Toepassingsgebied",
    responsibilities: "Verantwoordelijkheden",
    role: "Rol",
    responsibility: "Taak",
    safety: "Veiligheid",
    equipment: "Benodigdheden",
    procedure: "Werkwijze",
    records: "Registraties",
    record: "Registratie",
    place: "Plaats",
    keptFor: "Bewaartermijn",
    references: "Verwijzingen",
    check: "Controleer:",
    assumptions: "Te bevestigen aannames",
    exists: (label) => `Het document "${label}" bestaat.`,
    missing: (words) => `De opdracht zegt "${words}": dat ontbreekt hier.`,
    unasked: (figure) => `De titel of beschrijving noemt ${figure}: de opdracht niet.`,
    against: (words, sentence) => `De opdracht zegt "${words}", en deze tekst zegt "${sentence}".`,
    places: (figures) => `Elk getal staat op zijn plaats: ${figures}.`,
  },
  pt: {
    purpose: "Objetivo",
    scope: "Âmbito",
    responsibilities: "Responsabilidades",
    role: "Função",
    responsibility: "Responsabilidade",
    safety: "Segurança",
    equipment: "Equipamentos",
    procedure: "Procedimento",
    records: "Registos",
    record: "Registo",
    place: "Local",
    keptFor: "Conservação",
    references: "Referências",
    check: "Verificar:",
    assumptions: "Pressupostos a confirmar",
    exists: (label) => `O documento "${label}" existe.`,
    missing: (words) => `O pedido diz "${words}": falta aqui.`,
    unasked: (figure) => `O título ou a descrição indica ${figure}: o pedido não.`,
    against: (words, sentence) => `O pedido diz "${words}", e este texto diz "${sentence}".`,
    places: (figures) => `Cada valor está no seu lugar: ${figures}.`,
  },
};

/** Returns the words for a draft in a language (BCP 47), in English for an unsupported language. */
export function draftWords(language: string): DraftWords {
  return words[language.split("-")[0]?.toLowerCase() ?? ""] ?? english;
}

const assumptionTitles: ReadonlySet<string> = new Set(Object.values(words).map(({ assumptions }) => assumptions));

/**
 * Tells whether a heading is "Assumptions to confirm" in any language, because the language setting of a text can
 * change later.
 */
export function isAssumptionsTitle(title: string): boolean {
  return assumptionTitles.has(title.trim());
}
