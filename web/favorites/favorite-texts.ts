import { catalog } from "#core/language/catalog.ts";

/** Apart from those of the pages: every list and SOP loads these. */
export const texts = catalog("favorites.favorite", {
  favorite: "Favorite",
  added: "Added to favorites",
  removed: "Removed from favorites",
  undo: "Undo",
  error: "Error",
  failed: "Couldn't update favorites. Try again.",
});
