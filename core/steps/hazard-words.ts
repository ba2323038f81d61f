/**
 * The words of hazards and of what one does in an emergency, for `protection`. They are those of the hazard statements
 * of the GHS (Annex III of Regulation (EC) No 1272/2008) and of the names of the safety signs of ISO 7010.
 */

/** In any part of a word: "biohazard", "Lebensgefahr", "neurotoxisch". */
export const hazardStems = [
  "(?<!hap)hazard|danger|gefahr|gevaar|gevaren|toxi|tóxi|tossic|poison|giftig|vergift|explo[ds]|esplo[ds]|explotar",
  "flammab|inflam|fiamm|flamme|entzünd|brennbar|brandbaar|corros|korros|asphyxi|asfixi|asfissi|suffoc|erstick|verstik",
  "cyanid|zyanid|cianur|cyanur|cianeto|asbest|amiant|radioa[ck]ti|radiacti|radioatti|strahl[eu]n|electrocut|elektrokut",
  "électrocut|allerg|alérg|irrit|verletz|verätz|verbrenn|verbrüh|verbrand|schädlich|schadelijk|carcinogen|cancér[io]g",
  "kanzerogen|cancerígen|cancerogen|evacu|évacu|evaku|alarm|allarm|tödlich|dodelijk",
].join("|");

/** English, German, French, Spanish, Italian, Dutch, Portuguese. */
export const hazardWords = [
  // signal words, and harm
  "warning|caution|fatal\\p{L}*|lethal\\p{L}*|deadly|deaths?|kill(?:s|ed)?|injur\\p{L}*|harm(?:s|ed|ful)?|burns?|burn(?:ed|t)|scald\\p{L}*|frostbite|cryogenic",
  "(?:eye|skin|organ|hearing) damage|damage to (?:the )?(?:organs?|eyes|skin|hearing)|dizz(?:y|iness)|drows(?:y|iness)|asthma|breathing difficult(?:y|ies)|sensiti[sz](?:ation|ing|ers?)",
  "cancer\\p{L}*|mutagen(?:ic|s)?|genetic defects|fertility|unborn|pregnan(?:t|cy)|breast-?f(?:ed|eeding)",
  // what harms
  "high voltage|electric(?:al)? shocks?|shocks?|live (?:parts?|wires?|conductors?)|energi[sz]ed|radiation|ioni[sz]ing|lasers?|x-rays?|magnetic fields?|infecti(?:on|ons|ous)|contagious|pathogen(?:s|ic)?",
  "fires?|flames?|ignit\\p{L}*|combusti(?:ble|on)|pyrophoric|oxidi[sz](?:er|ers|ing)|self-heating|pressuri[sz]ed|(?:under|high) pressure|caustic|(?:sul(?:ph|f)uric|nitric|hydrochloric|hydrofluoric|acetic|perchloric|strong) acids?",
  "arsenic|formaldehyde|phosgene|carbon monoxide|hydrogen sul(?:ph|f)ide|chlorine|ammonia|mercury|fumes|vapou?rs?|chok(?:e|ing)|drown(?:ing)?|confined spaces?|oxygen deficien(?:t|cy)",
  "crush(?:ed|ing)?|entangle(?:d|ment)|trapped|pinch points?|amputat\\p{L}*|(?:moving|rotating) (?:parts?|rollers?|machinery)|sharps?|slippery|falling|(?:overhead|suspended) loads?|hot (?:surfaces?|steam|oil|liquids?|contents?)|steam",
  // what one does
  "lock(?:ed)?[ -]?out|tag(?:ged)?[ -]?out|lock(?:ing)? out|loto|de-?energi[sz]e\\p{L}*|(?:keep|stay|stand) (?:clear|away|out|back|off)|beware|(?:leave|exit) (?:the |this )?(?:room|building|area|site|lab|laboratory|hall|floor)",
  "(?:call|dial|phone|ring) (?:\\p{L}+\\.? ){0,2}\\d{3}|sirens?|emergenc(?:y|ies)|ambulance|first[- ]aid|eye ?wash|antidotes?|defibrillator|assembly point|extinguish\\p{L}*",
  // German
  "(?:\\p{L}+s)?gefähr\\p{L}*|warnung|vorsicht|achtung|ätzend\\p{L}*|gifte[ns]?|giftstoff\\p{L}*|tod(?:es\\p{L}*)?|erfrier\\p{L}*|augensch[aä]d\\p{L}*|schädigt?|(?:haut|augen)?reiz(?:end\\p{L}*|ung(?:en)?|en|t)|atembeschwerden|asthma\\p{L}*|schläfrigkeit|benommenheit|krebs\\p{L}*|gendefekte?|genetische defekte|fruchtbarkeit|mutterleib|schwanger\\p{L}*",
  "hochspannung|stromschl[aä]ge?|unter (?:druck|spannung)|spannungsführend\\p{L}*|radioaktiv\\p{L}*|laser\\p{L}*|infekti(?:on|onen|ös\\p{L}*)|ansteck\\p{L}*|feuer\\p{L}*|brände|brand(?:schutz|fall)|oxidationsmittel|\\p{L}*druckgas\\p{L}*|(?:salz|schwefel|salpeter|fluss)?säuren?|laugen?|dämpfe|kohlenmonoxid|quecksilber|quetsch\\p{L}*|ab(?:sturz|stürz)\\p{L}*|rutsch\\p{L}*|heiße\\p{L}? oberfläch\\p{L}*",
  "freischalten|wiedereinschalten|abstand halten|fern ?halten|zurücktreten|(?:raum|gebäude|bereich|labor|halle)\\P{N}{1,12}verlassen|verlassen sie|notruf\\p{L}*|notf[aä]ll\\p{L}*|not-?(?:aus|halt|ausgang|dusche|arzt)|(?:112|110)\\P{N}{1,12}(?:wählen|rufen|anrufen)|(?:wähl|ruf)\\p{L}*\\P{N}{1,16}(?:112|110)|sirenen?|erste[- ]hilfe|augendusche|rettungsdienst|sammel(?:stelle|punkt|platz)",
  // French
  "attention|avertissement|haute tension|mort(?:el\\p{L}*)?|létal\\p{L}*|bless(?:é\\p{L}*|ures?)|brûl\\p{L}*|noci(?:f|fs|ve|ves)|asthme|somnolence|vertiges?|cancer|génétiques|fœtus|fertilité|choc électrique|rayonnements?|infectieu\\p{L}*|contagieu\\p{L}*|incendi\\p{L}*|feu|flammes?|enflammer?|comburante?s?|oxydante?s?|sous (?:pression|tension)|acides?|écras\\p{L}*|glissante?s?|chutes?",
  "consignation|éloign\\p{L}*|à l['’]écart|quitte[rz] (?:la|le|les) (?:pièce|salle|bâtiment|lieux|zone)|(?:appele|compose)[rz]\\P{N}{1,16}(?:112|15|18)|urgences?|(?:premiers )?secours|pompiers",
  // Spanish
  "pelig\\p{L}*|advertencia|precaución|atención|alta tensión|mortal\\p{L}*|muertes?|letal\\p{L}*|lesi(?:ón|ones)|herid[ao]s?|quemaduras?|nociv[oa]s?|venen\\p{L}*|asma|somnolencia|vértigo|cáncer|genéticos|fertilidad|feto|descargas? eléctricas?|electrocu\\p{L}*|radiación|radiaciones|infecci\\p{L}*|contagi\\p{L}*|incendi\\p{L}*|fuego|llamas?|comburentes?|a presión|ácidos?|aplasta\\p{L}*|resbaladiz[oa]s?|caídas?",
  "bloqueo|aléj\\p{L}*|alej(?:[ae]|ad[ao]s?|ar|arse)|(?:salga|abandon\\p{L}*) (?:de )?(?:la|el) (?:sala|edificio|zona|área)|(?:llame|llamar|marque|marcar)\\P{N}{1,16}112|emergencias?|primeros auxilios|bomberos",
  // Italian
  "pericol\\p{L}*|attenzione|avvertenza|alta tensione|mort(?:e|ale|ali)|letal[ei]|lesion[ei]|ferit[aeio]|ustion[ei]|velen\\p{L}*|sonnolenza|vertigini|cancro|alterazioni genetiche|fertilità|feto|scoss[ae]|folgor\\p{L}*|radiazion[ei]|infettiv\\p{L}*|infezion[ei]|fuoco|ossidant[ei]|comburent[ei]|sotto (?:pressione|tensione)|acid[oi]|schiacci\\p{L}*|scivolos\\p{L}*|cadut[ae]",
  "allontan\\p{L}*|(?:lasciare|abbandonare) (?:la|il|l['’]) ?(?:stanza|sala|edificio|locale|zona)|chiam(?:a|are|ate)\\P{N}{1,16}112|emergenz[ae]|primo soccorso|vigili del fuoco",
  // Dutch
  "waarschuwing|voorzichtig\\p{L}*|pas op|ontvlambaar|bijtend\\p{L}*|hoogspanning|dood|letsels?|verwond\\p{L}*|brandwonden?|giftig\\p{L}*|astma|slaperigheid|duizeligheid|kanker\\p{L}*|genetische schade|vruchtbaarheid|ongeboren|schok(?:ken)?|straling|besmet\\p{L}*|infecties?|vuur|brandgevaarlijk|ontplof\\p{L}*|oxiderend\\p{L}*|onder (?:druk|spanning)|zuur|zuren|beknel\\p{L}*|gladde|schade aan organen|oogletsel",
  "vergrendel\\p{L}*|uit de buurt|afstand houden|verlaat (?:de|het)|(?:bel|alarmeer)\\P{N}{1,16}112|nood(?:geval\\p{L}*|stop|uitgang|nummer|douche)|brandweer|eerste hulp|ehbo",
  // Portuguese
  "perig\\p{L}*|advertência|aviso|atenção|cuidado|alta tensão|mort(?:e|al|ais)|leta(?:l|is)|les(?:ão|ões)|ferimentos?|queimaduras?|sonolência|vertigens|cancro|câncer|genéticas|fertilidade|nascituro|choques?|eletrocu\\p{L}*|radiaç(?:ão|ões)|radioativ\\p{L}*|infe(?:ç|cc?)\\p{L}*|incêndios?|fogo|chamas?|sob (?:pressão|tensão)|esmag\\p{L}*|escorregadi[oa]s?|quedas?",
  "bloqueio|afast\\p{L}*|(?:saia|abandone) (?:da|do|a|o) (?:sala|edifício|área|zona)|(?:ligue|ligar|chame|chamar)\\P{N}{1,16}112|emergências?|primeiros socorros|bombeiros",
];
