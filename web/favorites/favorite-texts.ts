import { catalog } from "#core/language/catalog.ts";

/** Texts of the button, apart from those of the pages, because every list and SOP loads them. */
export const texts = catalog("favorites.favorite", {
  favorite: "Favorite",
  added: "Added to favorites",
  removed: "Removed from favorites",
  undo: "Undo",
  error: "Error",
  failed: "Couldn't update favorites. Try again.",
});
