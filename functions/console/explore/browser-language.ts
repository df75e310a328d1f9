/**
 * uPlot asks for the browser's language as it is loaded, and cannot be loaded if that is no language tag: WebKit of a locale without a language says
 * "C". The chart writes its numbers in the console's language anyway.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: document.documentElement.lang });
}
