/** Node and tests use this: no build compiles their messages. */
export { default as compileMessage } from "icu-minify/compile";
