import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.sops.import.refusals", {
  unknownCategory: "The category {name} is not known: create it, or add --create-categories",
  costlyFile: "This takes too much time or memory. Send it in smaller parts",
  unknownKind: "only .md, .mdx, .docx, .html and .zip files are read",
  emptyFile: "the file is empty",
  largeFile: "the file is larger than {mebibytes} MiB",
  longPath: "its path is longer than {pathAtMost} characters",
  muchTextOnTerminal: "so much text can't be imported in the browser: use `sop import` on the terminal",
  manyOnTerminal: "{count} documents can't be imported in the browser: use `sop import` on the terminal",
  cannotCreateCategories: "You don't have permission to create categories: leave --create-categories out",
  dryRunOnly: "A document without its text can only be asked about with dryRun",
  sopDamaged: "Its SOP is damaged on the server: ask an administrator of the server to restore it",
  textDamaged: "The text of its SOP is lost or damaged: open the SOP to see what to do",
  cannotChange: "You don't have permission to change this SOP",
  cannotHandOver: "You don't have permission to give this SOP to another owner or team",
  sameContent: "It has the same content as {path}",
  sameSop: "It is the same SOP as {path}: import one of them",
  archived: "This SOP is archived: unarchive it before you change it",
  samePath: "Another document of this import has the same path",
  sameId: "It names the same SOP as {path}. Delete one of them, or remove sop, id and version from the new SOP",
  otherNumber: 'sop: "{written}" and the id of {number} contradict each other. Put back sop: "{number}"',
  lostId:
    'It was the file of {number} and lost its id. Put back sop: "{number}" and id: "{id}", or give a new SOP another path',
  resembles:
    'It resembles the deleted {path}, the file of {number}, and has no id. Put back sop: "{number}" and id: "{id}". For a new SOP, push the deletion first',
  lostNearToOther:
    "It was the file of {number}, but resembles {numbers}, and has no id. Put back sop and id of the SOP that it is, or give a new SOP another path",
  resemblesOther:
    "It resembles the deleted {path}, the file of {number}, but even more {numbers}, and has no id. Put back sop and id of the SOP that it is. For a new SOP, push the deletion first",
  likelyByPath:
    'It was the file of {number} and lost its id. Put back sop: "{number}", id: "{id}" and the version that you edited. Choose --on-conflict copy for a new SOP, or theirs to replace the text of {number}',
  likelyByText:
    'It resembles {number}, “{title}”, and has no id. If it is that SOP, put back sop: "{number}", id: "{id}" and the version that you edited. For a new SOP, choose --on-conflict copy',
  equallyNear:
    "It resembles {numbers} equally and has no id. Export the SOP that you mean, and edit that file. For a new SOP, choose --on-conflict copy",
  nearToOther:
    "It has the path or name of a file of {named}, but resembles {numbers}, and has no id. Export the SOP that you mean, and edit that file. For a new SOP, choose --on-conflict copy",
  foreignNumber: "sop: \"{number}\" doesn't fit the company's numbers. Write one such as {example}, or remove the line",
  lookalike: 'sop: "{number}" looks like {meant}. Write the number with its letters and digits, or remove the line',
  hasFixedNumber: "The file asks for number {wanted}, but this SOP keeps {number}: leave number out of the file",
  number: "number: {reason}",
  numberTaken: "number: {number} is taken. Choose another one, or add the id of its SOP to update it",
  numberTwice: "number: {path} asks for {number} too. Give one of them another number",
  serverFailed: "Something went wrong on the server while it was read. See the server's log",
  otherDocument:
    "“{title}” {by, select, number {has the number {number}} other {came from this path}} and {differs, select, id {another id} most {shares few lines} other {shares no line}}",
  copyOrReplace: "{conflict}. Choose --on-conflict copy for a new SOP, or theirs to replace it",
  olderBase: "The SOP is at version {version}, the file is based on version {base}",
  mergeOrChoose: "{conflict}: merge them, or choose --on-conflict theirs or copy",
  noVersion: "The file has no version, so it can be older than version {version} of the SOP",
  addVersion:
    "{conflict}. Add a line such as version: {version}, with the version that you edited. Choose --on-conflict theirs to replace the SOP's text, or copy for a new SOP",
  importOfOther: "Version {version} came from the import of another user, and the file can be older",
  replaceOrCopy: "{conflict}. Choose --on-conflict theirs to replace the SOP's text, or copy for a new SOP",
});
