import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.assets.refusals", {
  damagedFile: "This file is damaged. Upload it again to repair it.",
  typeNeeded: "Send the file's bytes with its own type: image/… or application/pdf",
  unknownType: "Only PNG, JPEG, GIF, WebP and PDF files can be stored",
  unknownSize: "The image is damaged: its size can't be read",
  largeImage: "The image has {pixels, number} million pixels; the limit is {limit, number} million",
  largeFrames:
    "The image has {pixels, number} million pixels in its {frames} frames; the limit is {limit, number} million",
  pdfForProfile: "You can store an image for your profile, but no PDF",
  noRoom: "The images and PDFs need {needed}. The company stores {used} of {limit}",
  fullCompany: "The company stores {used} of texts, images and PDFs. The limit is {limit}",
  fullUser: "You store {used} of texts, images and PDFs. The limit is {limit}",
  unreadableLink: "You can't read the file {file} that the text links. Upload it yourself",
});
