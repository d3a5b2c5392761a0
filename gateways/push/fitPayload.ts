/** Fits payloads into the limit of both gateways: texts are shortened, identifiers are not. */

const MAX_PAYLOAD_BYTES = 4_096;

interface Text {
  title: string;
  body: string;
}

/**
 * Returns the payload as JSON, with as much of the body, and then of the title, as fits. Texts are cut between code
 * points.
 * @returns null if the payload is too large even without texts
 */
export function fitPayload(text: Text, payload: (text: Text) => unknown): string | null {
  const json = (title: string, body: string) => JSON.stringify(payload({ title, body }));
  return (
    longestFitting(text.body, (body) => json(text.title, body)) ??
    longestFitting(text.title, (title) => json(title, '')) ??
    null
  );
}

function longestFitting(text: string, json: (text: string) => string): string | null {
  const fits = (candidate: string) => Buffer.byteLength(candidate) <= MAX_PAYLOAD_BYTES;
  const whole = json(text);
  if (fits(whole)) return whole;
  const points = Array.from(text);
  const cut = (length: number) => json(length === 0 ? '' : `${points.slice(0, length).join('')}…`);
  let [fitLength, tooLong] = [-1, points.length];
  while (tooLong - fitLength > 1) {
    const middle = (fitLength + tooLong) >> 1;
    if (fits(cut(middle))) fitLength = middle;
    else tooLong = middle;
  }
  return fitLength < 0 ? null : cut(fitLength);
}
