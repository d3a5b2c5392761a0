/** Payloads have at most 4,096 bytes at both gateways: text gives way, identifiers never. */

const LARGEST_PAYLOAD_BYTES = 4_096;

interface Text {
  title: string;
  body: string;
}

/**
 * The payload as JSON, with as much of the body, and then of the title, as fits. Cut between code points: half a
 * character would not be one.
 * @returns null when it does not even fit without any text
 */
export function fitting(text: Text, payload: (text: Text) => unknown): string | null {
  const json = (title: string, body: string) => JSON.stringify(payload({ title, body }));
  return (
    longest(text.body, (body) => json(text.title, body)) ?? longest(text.title, (title) => json(title, '')) ?? null
  );
}

function longest(text: string, json: (text: string) => string): string | null {
  const fits = (candidate: string) => Buffer.byteLength(candidate) <= LARGEST_PAYLOAD_BYTES;
  const whole = json(text);
  if (fits(whole)) return whole;
  const points = Array.from(text);
  const cut = (length: number) => json(length === 0 ? '' : `${points.slice(0, length).join('')}…`);
  let [most, tooMany] = [-1, points.length];
  while (tooMany - most > 1) {
    const middle = (most + tooMany) >> 1;
    if (fits(cut(middle))) most = middle;
    else tooMany = middle;
  }
  return most < 0 ? null : cut(most);
}
