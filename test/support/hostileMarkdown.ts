/** Hostile Markdown: HTML, and targets that a browser would run or load, in all places of links and images. */
import { HOSTILE_HTML } from './hostileHtml.js';

const TARGETS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'java&#x0A;script:alert(1)',
  'java\\script:alert(1)',
  '\\javascript:alert(1)',
  '&#1;javascript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  '%6aavascript:alert(1)',
  'javascript%3Aalert(1)',
  'vbscript:msgbox(1)',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg/onload=alert(1)>',
  'blob:https://evil.example/x',
  'file:///etc/passwd',
  'ftp://evil.example/',
  '//evil.example/',
  '\\\\evil.example\\',
  '/api/auth/logout/',
  '?next=javascript:alert(1)',
  '#x',
  '<!---->//evil.example/',
  'x:javascript:alert(1)',
  'https://ok.example/"onclick="alert(1)',
  'https://ok.example/&quot; onclick=alert(1) x=&quot;',
  "https://ok.example/'><img/src/onerror=alert(1)>",
  'https://ok.example/`${alert(1)}`',
  'mailto:a@ok.example?body="><script>alert(1)</script>',
];

const PLACES = [
  (target: string) => `[x](${target})`,
  (target: string) => `[x](<${target}> "onmouseover=alert(1)")`,
  (target: string) => `[x](https://ok.example '"onclick=alert(1) ${target}')`,
  (target: string) => `![x](${target})`,
  (target: string) => `[![x](${target})](${target})`,
  (target: string) => `![[x](${target})](<${target}>)`,
  (target: string) => `<${target}>`,
  (target: string) => `[x]\n\n[x]: ${target} "y"`,
  (target: string) => `> 1. # [x](${target}) **[x](${target}**)`,
  (target: string) => `\`\`\`"onclick=alert(1) ${target}\n${target}\n\`\`\``,
];

export const HOSTILE_MARKDOWN = [
  ...HOSTILE_HTML.flatMap((html) => [
    html,
    `\n\n${html}\n\n`,
    `[${html}](https://ok.example)`,
    `![${html}](https://ok.example)`,
    `\`${html}`,
  ]),
  ...TARGETS.flatMap((target) => PLACES.map((place) => place(target))),
];
