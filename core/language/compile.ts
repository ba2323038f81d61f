/** Node and tests compile messages at run time with this module, because no build has compiled them. */
export { default as compileMessage } from "icu-minify/compile";
