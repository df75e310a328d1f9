/** The name under which a function is deployed, from its file below `functions/`: `aggregation/submit` is `aggregation-submit`. */
export function functionName(file: string): string {
  return file.replace("/", "-");
}
