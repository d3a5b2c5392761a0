/** A real browser for a test file. */
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../development/stack/findChromium.js';

/** Starts headless Chromium. @throws Error that says how to install it where it is missing */
export async function launchChromium(): Promise<Browser> {
  const { command, environment } = await findChromium((line) => console.error(line));
  return chromium.launch({
    executablePath: command,
    // Containers and root have no sandbox; the pages are our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    env: { ...process.env, ...environment },
  });
}
