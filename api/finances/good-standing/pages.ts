/** The page that shows a proof of good standing: on a screen, or printed with a QR code that leads back to it. */
import path from 'node:path';
import type { Router } from 'express';
import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { config } from '../../../config.js';
import { servedPages } from '../../http/servedPages.js';

/** Path of the page's assets. It cannot be mistaken for a proof's page, because no code has this form. */
const ASSETS = '/good-standing/_';
const CODE = /^[\w-]{43}$/;

/** Returns the QR code of the page's own address. The page hides it until the proof's code was found to be valid. */
function qrCodeOf({ code = '' }: Record<string, string>): string {
  if (!CODE.test(code)) return '';
  const address = `${config.backendUrl}/good-standing/${code}`;
  const squares = generate(address);
  // QR readers need a margin of four squares on each side, so eight are added.
  const size = squares.size + 8;
  return `<figure id="own-address" hidden>
<svg role="img" aria-label="QR code of this page" viewBox="-4 -4 ${size} ${size}" shape-rendering="crispEdges"><path d="${toSvgPath(squares)}"/></svg>
<figcaption>Scan this to check whether the proof is still valid: ${address}</figcaption>
</figure>
`;
}

export const goodStandingPages = (): Router =>
  servedPages(path.join(__dirname, 'browser'), ASSETS, {
    '/good-standing/:code': { title: 'Good standing', script: 'standing.js', body: qrCodeOf },
  });
