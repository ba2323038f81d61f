/**
 * Base forms of verbs that begin instructions. Verbs with endings such as -ize and -ify are recognized without this
 * list.
 */
const list = `
air air-dry look abort absorb accept access accompany account acknowledge acquire act activate adapt add address adhere adjust adopt
advance advise affix agitate agree aim align aliquot allocate allow alternate amend analyse analyze anchor annotate
announce answer anticipate append apply appoint approach approve arm arrange ask assemble assert assess assign assist
assume assure attach attempt attend audit authenticate authorise authorize avoid await award back bag balance ban
bandage base bathe be begin bend bind bleed blend block blot blow boil bolt book boot borrow bottle brace branch break
brief bring broadcast browse brush bubble build bump burn bury buy bypass calculate calibrate call calm cancel cap
capture care carry cascade cast catch categorise categorize center centre centrifuge certify chair change charge chart
chat check chill chlorinate choose circle circulate clamp clarify classify clean cleanup clear click climb clip clone
close coach coat collaborate collapse collate collect combine come commence commission commit communicate compare
compile complete comply compose compress compute conceal concentrate conclude conduct configure confine confirm
connect consider consolidate construct consult contact contain continue contribute control convene convert convey cook
cool cooperate coordinate copy copyedit correct count couple cover crank create crop cross cross-check cross-post
crush curate cure cut cycle date deactivate debrief debug decant decide declare decline decommission decontaminate
decrease deduct define defrost degas degrease delay delegate delete deliver demonstrate depart deploy deposit depress
depressurise depressurize describe deselect design designate detach detail detect determine develop devise diagnose
dial dig dilute dim dip direct disable disarm disassemble discard discharge disclose disconnect discontinue discuss
disengage dismantle dismiss dispatch dispense display dispose dissolve distribute dive divide do dock document don
donate double double-check double-click download draft drag drain draw dress drill drive drop dry dump duplicate
e-mail earn earth ease edit educate eject elect elevate eliminate email embed employ empty enable enclose encode
encourage encrypt end endorse energise energize enforce engage enlist enquire enrol enroll ensure enter equalise
equalize equilibrate equip erase erect escalate escort establish estimate evacuate evaluate examine exchange exclude
execute exercise exit expand expect expel experiment explain explore export expose express extend extinguish extract
extrude facilitate factor fail familiarise familiarize fasten fax feed feel fetch figure file fill filter finalise
finalize find finish fire fit fix flag flame flash flatten flick flip float flood flush focus fold follow follow-up
force forecast foresee forget fork form format formulate forward foster free freeze fry fuel fund gain gather gauge
generate get give glance glue go grab grant grasp grease greet grind grip ground group grow guarantee guard guide hand
handle hang harvest have head hear heat help hide highlight hire hit hoist hold homogenise homogenize honor honour
hose host hover hunt hydrate identify ignite ignore illuminate image immerse implement import impose improve
incinerate include incorporate increase incubate index indicate induct inflate influence inform initial initialise
initialize initiate inject inoculate inquire insert inspect install instruct insulate insure integrate interact
interlock interpret interrupt interview introduce inventory invert investigate invite invoice invoke involve iron
irrigate isolate issue iterate jog join judge jump justify keep key kick kill knock know label land latch launch lay
lead leak learn leave lend let level leverage liaise lift light limit line link list listen load locate lock lock-out
log login loop loosen lower lubricate lyse mail maintain make manage mandate map mark market mask match maximise
maximize measure meet melt memorialize mention merge message meter microwave migrate mind minimise minimize mitigate
mix moderate modify moisten monitor motivate mount move multiply mute name navigate negotiate neutralise neutralize
nominate normalise normalize note notify number obey observe obtain offer omit onboard open operate opt optimise
optimize order organise organize orient outline overlay override oversee own pack package pad page paint pair
paraphrase park parse participate partner pass paste patch pause pay peel perform permit persist pester phone
photocopy photograph pick pilot pin ping pinpoint pipe pipet pipette pivot place plan plant play plot plug plunge
point polish poll pool populate position post postpone pour practice practise pre-heat pre-wet preboil precool preheat
prepare prescribe present preserve press pressurise pressurize pretend prevent prime print prioritise prioritize probe
proceed process procure produce program prohibit promote prompt proofread propose protect prove provide provision
publish pull pump punch purchase purge purify push put quantify quarantine query question queue quit quote raise ramp
rank rate re-enable re-enter re-register re-run re-test reach react reactivate read reassemble reassess reassign
reboot rebuild recalculate recalibrate recall recap receive recharge recheck reclaim recommend reconcile reconfigure
reconnect reconstitute record recover recruit recycle redeploy redirect redo reduce refer refill refine refit reflect
reformat refrain refresh refrigerate refund refuse register regulate reheat reimburse reinforce reinspect reinstall
reinstate reiterate reject relay release relieve relocate remain remediate remember remind remove rename render renew
reopen repack repair repeat rephrase replace replenish reply report reposition repost represent request require
reroute rerun reschedule reserve reset reside resize resolve respect respond restart restock restore restrict resubmit
resume resuspend retain retest rethink retire retract retrain retrieve retry return reuse reveal reverse revert review
revise revisit revoke reword rework rewrite right-click ring rinse rise roll roll-back rotate route rub run sample
sanitise sanitize satisfy saturate save say scale scan schedule scoop score scour scrape screen screw scroll scrub
seal search seat secure see seed seek segregate select sell send sense separate serve service set set-up settle setup
shade shake shape share sharpen shave shift ship shorten show shred shut shutdown sieve sift sign sign-off signal
silence simmer simplify simulate sit sketch skim skip slice slide slow smooth soak socialize solder solicit solve
sonicate sort space speak specify spell spend spin splash splint split spool spot spray spread sprinkle squeeze
stabilise stabilize stack staff stage stain stamp stand standardise standardize staple start state stay steam steer
step sterilise sterilize stick stir stop store straighten strain strap stratify streamline stress stretch strip strive
study style sub-divide submerge submit subscribe subtract suction suggest summarise summarize summon supervise supply
support suppress surround survey suspend swab swap sweep swing swirl switch sync synchronise synchronize tab tackle
tag tailor take talk tally tap tape target teach team tear tell terminate test test-run thank thaw think thread throw
throw-away thumb tick tie tighten tilt time time-box title toggle top torque toss total touch tow trace track trade
trail train transcribe transfer transform translate transmit transport trap travel treat triage trigger trim
triple-check troubleshoot trust try tune turn tweak twist type unblock unbolt uncap uncheck unclip uncouple uncover
undergo understand undertake undo unfold unhook uninstall unload unlock unmount unpack unplug unscrew unseal unselect
unsubscribe untie unwrap update upgrade upload urge use utilise utilize vacate vaccinate vacuum validate value vary
vent ventilate verify view visit visualise visualize vortex vote wait wake walk warm warn wash watch water wear weigh
welcome weld wet whisk whitelist wind wipe wire withdraw withhold witness wonder word work wrap write yield zero zip
zoom
`;

const bases: ReadonlySet<string> = new Set(list.trim().split(/\s+/));
const verbEnding = /^[a-z]{2,}(?:i[sz]e|ify|[bcdglnrt]ate)$/;
const notVerbs: ReadonlySet<string> = new Set([
  "otherwise",
  "likewise",
  "noise",
  "size",
  "prize",
  "wise",
  "rise",
  "precise",
  "franchise",
  "expertise",
  "enterprise",
  "exercise",
  "appropriate",
  "private",
  "corporate",
  "immediate",
  "separate",
  "accurate",
  "adequate",
  "alternate",
  "certificate",
  "climate",
  "delegate",
  "late",
  "rate",
  "state",
  "plate",
  "date",
  "template",
  "candidate",
  "subordinate",
  "duplicate",
  "ultimate",
  "legitimate",
  "intermediate",
  "approximate",
  "concentrate",
  "filtrate",
  "substrate",
  "nitrate",
  "carbonate",
  "lysate",
  "aggregate",
  "chocolate",
  "precipitate",
  "update",
  "mate",
  "gate",
  "debate",
  "innate",
]);

/**
 * Tells whether a lower-case word can be the base form of a verb. Words that are nouns as well (`record`, `test`) count.
 */
export function canBeVerb(word: string): boolean {
  return bases.has(word) || (verbEnding.test(word) && !notVerbs.has(word));
}

/** The base form of a possible third person: `opens` → `open`, `verifies` → `verify`. */
export function baseOfThirdPerson(word: string): string | undefined {
  if (!/^[a-z-]{3,}s$/.test(word) || word.endsWith("ss")) return undefined;
  const candidates = [word.slice(0, -1), word.slice(0, -2), `${word.slice(0, -3)}y`];
  const endings = [/s$/, /(?:[sxz]|[cs]h|o)es$/, /ies$/];
  return candidates.find((base, index) => endings[index]?.test(word) && canBeVerb(base));
}

/** The base form of a possible gerund: `opening` → `open`, `stopping` → `stop`, `making` → `make`. */
export function baseOfGerund(word: string): string | undefined {
  const stem = /^([a-z-]{2,})ing$/.exec(word)?.[1];
  if (stem === undefined) return undefined;
  const candidates = [stem, `${stem}e`, stem.replace(/([a-z])\1$/, "$1")];
  return candidates.find(canBeVerb);
}
