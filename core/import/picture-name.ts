/** Files that could be meant to be seen: others are no trouble when they are missing. */
export const pictureName = /\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|avif|heic|pdf)$/i;
