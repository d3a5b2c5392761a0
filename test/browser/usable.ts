/** Checks of served pages that people use on a small phone. */
import type { Page } from 'playwright-core';

/** Nothing is wider than the screen, there is one heading, and every field has a label; the browser computes all of it. */
export async function expectUsable(page: Page): Promise<void> {
  expect(await page.locator('h1').count()).toBe(1);
  const fields = page.locator('input:not([type=hidden]), textarea, button');
  const names = await fields.evaluateAll((all) =>
    all.map((one) => ((one as HTMLInputElement).labels?.length ?? 0) + (one.tagName === 'BUTTON' ? 1 : 0)),
  );
  expect(names.filter((labels) => labels !== 1)).toEqual([]);
  const typed = page.locator('input:not([type=hidden]):not([type=radio]):not([type=checkbox]), textarea');
  expect(await typed.evaluateAll((all) => all.filter((one) => !one.getAttribute('autocomplete')).length)).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
}

/** Returns the lowest contrast of a text with its background, as WCAG 2 defines it. */
export const LOWEST_CONTRAST = `(() => {
  const probe = document.createElement('div');
  probe.style.background = 'Canvas';
  document.body.append(probe);
  const canvas = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    const { backgroundColor } = getComputedStyle(one);
    if (!/, 0\\)$/.test(backgroundColor)) return backgroundColor;
    return one.parentElement ? behind(one.parentElement) : canvas;
  };
  return Math.min(...[...document.querySelectorAll('main *')].filter((one) => one.type !== 'hidden').map((one) => {
    const [text, ground] = [light(getComputedStyle(one).color), light(behind(one))];
    return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
  }));
})()`;
