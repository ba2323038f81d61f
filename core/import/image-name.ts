/** Matches names of files that views could show. Other missing files cause no note. */
export const imageName = /\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|avif|heic|pdf)$/i;
