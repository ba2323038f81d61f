export const texts = {
  title: "Somebody else saved in the meantime",
  loading: "Loading the version on the server…",
  failed: "The version on the server could not be loaded. Your text is safe: close this and save again.",
  mine: "Your text",
  theirs: (version: number) => `Version ${version} on the server`,
  saved: (name: string, version: number, at: string, base: number) =>
    `${name} saved version ${version} on ${at}. Yours was written on version ${base}. What only one of you changed is taken; where both did, you choose. Nothing is lost.`,
  takeMine: "Take mine",
  takeTheirs: "Take theirs",
  takeBoth: "Take both",
  allMine: "All mine",
  allTheirs: "All theirs",
  keepEditing: "Keep editing",
  edit: "Edit the merged text",
  save: "Save merged text",
  useTheirs: "Go on with theirs",
  onlyMine: "Changed by you",
  onlyTheirs: "Changed by the other",
  both: "Changed by both",
  sameText: "The text is the same on both sides; these details differ:",
  details: "Details that differ",
  left: (open: number, merged: number) =>
    [
      open === 0 ? "Everything is decided" : `${open} ${open === 1 ? "place" : "places"} to decide`,
      merged > 0 && `${merged} merged`,
    ]
      .filter(Boolean)
      .join(" · "),
} as const;
