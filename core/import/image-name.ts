/** Matches names of image and PDF files. Only for these, a missing file is reported. */
export const imageName = /\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|avif|heic|pdf)$/i;
