/**
 * healthcheck <url>: exits with 0 when the address answers with success. For container engines, whose images hold no
 * curl.
 */

const TIMEOUT_MS = 4_000;

const [url] = process.argv.slice(2);
if (!url) {
  console.error('Usage: healthcheck <url>');
  process.exit(2);
}
fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
