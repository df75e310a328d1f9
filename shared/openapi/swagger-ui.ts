import { readFileSync } from "node:fs";

/** The files of Swagger UI that its page needs. In an archive, `scripts/bundle/trim.ts` puts their texts here. */
export const script = readFileSync(new URL(import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js")), "utf8");
export const style = readFileSync(new URL(import.meta.resolve("swagger-ui-dist/swagger-ui.css")), "utf8");
export const licences = readFileSync(new URL(import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt")), "utf8");
