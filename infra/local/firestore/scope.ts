import type { DocumentName } from "./names.ts";

/** The documents that a query covers: one collection, all collections of one id below a parent, or everything below a parent. */
export type Scope =
  | { readonly kind: "collection"; readonly collection: string }
  | { readonly kind: "group"; readonly below: string; readonly collectionId: string }
  | { readonly kind: "all"; readonly below: string };

export function inScope(scope: Scope, document: DocumentName): boolean {
  if (scope.kind === "collection") return document.collection === scope.collection;
  if (!document.name.startsWith(`${scope.below}/`)) return false;
  return scope.kind === "all" || document.collectionId === scope.collectionId;
}
