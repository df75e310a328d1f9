import type { Page } from "playwright-core";

/** Gives the focus to the first element that the selector finds, in the moment in which the page has it. */
export async function focusOnceShown(page: Page, selector: string): Promise<void> {
  await page.evaluate((wanted) => {
    const observer = new MutationObserver(() => {
      const found = document.querySelector<HTMLElement>(wanted);
      if (!found) return;
      observer.disconnect();
      found.focus();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  }, selector);
}

/** Waits until the page has painted, and has run what it does after painting. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))));
}
