const irregular = new Set(
  `beaten bent bound blown born bought broken brought built burnt caught chosen cut dealt done drawn driven dug eaten fed found
   forbidden forgotten frozen ground given gone grown held hidden hit hung kept known laid led lent lit lost made
   meant met overridden overseen paid proven put read rebuilt reset ridden rung run said seen sent set sewn shaken shown shut sold
   spent spilt split spoken spread spun stolen stuck struck sunk swept taken taught thrown told torn understood undone
   withdrawn withheld won worn written`
    .trim()
    .split(/\s+/),
);

/** Words that end like a participle but are none, or that name a state. */
const states = new Set(
  "need indeed feed seed speed exceed proceed red bed shed sled hundred required supposed allowed advised encouraged expected interested concerned related located based used limited tired pleased".split(
    " ",
  ),
);

/** Tells whether a lower-case word can be the past participle of a verb. Words that name a state don't count. */
export function isParticiple(word: string): boolean {
  return irregular.has(word) || (/^[a-z-]{3,}ed$/.test(word) && !states.has(word));
}
