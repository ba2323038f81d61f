/** Matches names of image and PDF files. Only for these, a missing file is reported. */
export const imageFilePattern = /\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|avif|heic|pdf)$/i;
