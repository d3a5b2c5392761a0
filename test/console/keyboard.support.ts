/** A person who uses the keyboard alone. */
import type { Page } from 'playwright-core';

const MAX_STOPS = 60;

/** Waits until the text is on the page. */
export const shows = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).first().waitFor({ timeout: 15_000 });

/** Presses Tab until a control with this label has the focus. */
export async function tabTo(page: Page, label: RegExp): Promise<void> {
  const stops: string[] = [];
  for (let n = 0; n < MAX_STOPS; n += 1) {
    await page.keyboard.press('Tab');
    const text: string = await page.evaluate(LABEL);
    if (label.test(text)) return;
    stops.push(text);
  }
  throw new Error(`No stop of the keyboard is ${label}: ${stops.join(' | ')}`);
}

/** An expression for the labels and the text of the focused control. */
const LABEL = `((control) => (control.getAttribute("aria-labelledby") ?? "")
  .split(" ")
  .map((id) => document.getElementById(id)?.textContent)
  .concat(control.getAttribute("aria-label"), control.textContent)
  .filter(Boolean)
  .join(" ")
  .trim())(document.activeElement)`;
