/**
 * The content and the look of mails, from the compiled templates.
 * @jest-environment node
 */
import { mailColor } from '../../gateways/mail/color.js';
import { type MailContent, renderMail } from '../../gateways/mail/render.js';

const content: MailContent = {
  subject: 'Invoice issued',
  sender: { name: 'Northern Star', primaryColor: 'hsl(210, 50%, 40%)' },
  firstName: 'Kim',
  title: 'Invoice issued',
  paragraphs: ['Dues of spring.'],
  button: { label: 'Pay', url: 'https://app.example.org/invoices/1' },
  footer: ['You get this since it is billed to you.'],
  unsubscribe: { label: 'Unsubscribe', url: 'https://api.example.org/u/1' },
  timezone: 'America/New_York',
};

test('the text and the HTML of a mail have the same content', () => {
  const { subject, text, html } = renderMail(content);
  expect(subject).toBe('Invoice issued');
  expect(text).toBe(
    [
      'Hello Kim,',
      'Invoice issued',
      'Dues of spring.',
      'Pay: https://app.example.org/invoices/1',
      'You get this since it is billed to you.',
      'Unsubscribe: https://api.example.org/u/1',
    ].join('\n\n') + '\n',
  );
  for (const part of ['Hello Kim,', 'Invoice issued', 'Dues of spring.', 'Northern Star', 'billed to you'])
    expect(html).toContain(part);
  expect(html).toMatch(/<a\s+href="https:\/\/app\.example\.org\/invoices\/1"[^>]+background:#336699;color:#ffffff/);
});

test('data cannot become markup, a template, a header or a second line', () => {
  const hostile = '<script>x</script>\r\nBcc: a@example.org {{sender}} {{{more}}}\u2028"';
  const { subject, text, html } = renderMail({
    ...content,
    subject: hostile,
    sender: { name: hostile, primaryColor: 'hsl(210, 50%, 40%);}</style>' },
    firstName: hostile,
    title: hostile,
    paragraphs: [hostile],
    button: { label: hostile, url: 'https://app.example.org/"><script>' },
    groups: [{ title: 'Billing', items: [{ title: hostile, body: hostile, url: '/', at: new Date(0) }] }],
  });
  expect(subject).toBe('<script>x</script> Bcc: a@example.org {{sender}} {{{more}}} "');
  expect(html).not.toContain('<script');
  expect(html).not.toContain('example.org/">');
  expect(html).toContain('{{sender}}');
  expect(html).not.toContain('Northern Star');
  // Line breaks are kept only in texts that people wrote as several lines.
  expect(text.match(/^Bcc:/gm)).toHaveLength(1);
});

test("times are shown in the reader's time zone", () => {
  const item = { title: 'One', url: '/', at: new Date('2026-03-08T07:30:00Z') };
  const textIn = (timezone: string) =>
    renderMail({ ...content, groups: [{ title: 'G', items: [item] }], timezone }).text;
  expect(textIn('America/New_York')).toContain('Sunday, March 8, 2026 at 3:30 AM EDT');
  expect(textIn('Australia/Lord_Howe')).toContain('Sunday, March 8, 2026 at 6:30 PM');
});

test.each([
  ['hsl(0, 0%, 100%)', '#ffffff', '#000000'],
  ['hsl(60 100% 50%)', '#ffff00', '#000000'],
  ['240 100% 25%', '#000080', '#ffffff'],
  ['hsl(360, 100%, 50%)', '#ff0000', '#000000'],
  ['red; background: url(x)', '#1a4f8a', '#ffffff'],
  [null, '#1a4f8a', '#ffffff'],
])('the colour %j becomes %s with text in %s', (hsl, background, text) => {
  expect(mailColor(hsl)).toEqual({ background, text });
});

test('text on every colour has a contrast of 4.5 or more', () => {
  const linear = (share: number) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  const luminance = (hex: string) =>
    [0.2126, 0.7152, 0.0722].reduce(
      (sum, weight, at) => sum + weight * linear(Number.parseInt(hex.slice(1 + 2 * at, 3 + 2 * at), 16) / 255),
      0,
    );
  for (let hue = 0; hue < 360; hue += 7)
    for (const saturation of [0, 35, 100])
      for (let lightness = 0; lightness <= 100; lightness += 3) {
        const { background, text } = mailColor(`hsl(${hue}, ${saturation}%, ${lightness}%)`);
        const [dark = 0, light = 0] = [luminance(background), luminance(text)].sort((a, b) => a - b);
        expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5);
      }
});
