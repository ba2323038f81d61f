/** The texts of notes on imported documents. Each has an id, so that a client can translate it. */
import { messageAndReasonOf, sentences, type MessageWithId } from "#core/language/catalog.ts";
import type { ImportNote } from "#core/sops/import-schema.ts";

export const noteTexts = sentences("server.sops.import.notes", {
  ownerUnknown:
    "The owner {owner} {usernames, select, none {is not a user here:} other {is not a username, write {names}:}} {kept, select, yes {the SOP keeps its owner} other {you are the owner}}, the name is kept as x-owner",
  teamUnknown:
    "The team {team} is not known here: {kept, select, yes {the SOP keeps its team, and the name is kept as x-team} other {its name is kept as x-team}}",
  categoryUnknown:
    "The category {category} is not known here: create it, or write the name of one that exists. The name is kept as x-category",
  keeps: "{note}. The SOP keeps what it has",
  uncategorized: "No category has the name of its folder: it is uncategorized",
  tags: "An SOP can have {most, number} tags. Left out: {tags}",
  ignoredVersion: "version: {version} is ignored, because {number} is at version {current}",
  ignoredId: "id: {id} is ignored, because you see no SOP with it. The new SOP gets its own",
  ignoredFirst: "version: {version} is ignored, because a new SOP begins at version 1",
  newNumber: "Its number {number} was given elsewhere: it gets the next one here. To choose it, write number: {number}",
  sameTitle: "It has the title of {numbers}",
  resembles: "It resembles {numbers}",
  sameText: "It has the text of {numbers}",
  mostText: "It has most of the text of {numbers}",
});

export const createImportNote = (code: string, sentence: MessageWithId): ImportNote => ({
  code,
  ...messageAndReasonOf(sentence),
});
