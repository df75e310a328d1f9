/** Returns the deployed name of a function from its file below `functions/`: `aggregation/submit` is `aggregation-submit`. */
export function functionName(file: string): string {
  return file.replace("/", "-");
}
