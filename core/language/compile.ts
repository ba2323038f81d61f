/** Where messages aren't compiled by a build: in Node and in tests. */
export { default as compileMessage } from "icu-minify/compile";
