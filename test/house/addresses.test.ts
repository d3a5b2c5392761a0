/** Each address is implemented in the area that its path names, in a folder named by a word of it (docs/developing/house.md). */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Route } from '../../api/http/routes.js';
import { allRoutes } from '../../api/routes.js';

const API = path.resolve(__dirname, '../../api');

/** The area that the beginning of an address names; the longest match counts. */
const BEGINNINGS: Record<string, string> = {
  '/healthz': 'http',
  '/readyz': 'http',
  '/.well-known': 'well-known',
  '/api/schema': 'http',
  '/api/auth': 'identity',
  '/api/organizations': 'organizations',
  '/api/chapters': 'organizations',
  '/api/memberships': 'organizations',
  '/api/me/onboarding': 'organizations',
  '/api/me/consents': 'organizations',
  '/api/bulletins': 'organizations',
  '/api/chapter-advisors': 'organizations',
  '/api/officer-terms': 'organizations',
  '/api/roster-exports': 'organizations',
  '/api/rollovers': 'organizations',
  '/api/imports': 'organizations',
  '/api/forums': 'forums',
  '/api/organizations/:organization_id/forum-settings': 'forums',
  '/api/organizations/:organization_id/moderation-rules': 'forums',
  '/api/notifications': 'notifications',
  '/api/notifications/forum-subscriptions': 'forums',
  '/api/push-tokens': 'notifications',
  '/api/realtime': 'notifications',
  '/api/billing': 'finances',
  '/api/hq/dues': 'finances',
  '/api/invoices': 'finances',
  '/api/refunds': 'finances',
  '/api/finances': 'finances',
  '/api/foundation': 'foundation',
  '/api/public/good-standing': 'finances',
  '/donate': 'foundation',
  '/donation-success': 'foundation',
  '/giving': 'foundation',
  '/receipts': 'foundation',
  '/api/chapters/:id/finances': 'finances',
  '/api/organizations/:organization_id/reports/dues': 'finances',
  '/api/organizations/:organization_id/reports/members': 'organizations',
  '/api/platform': 'platform',
  '/api/pnm': 'intake',
  '/api/crossings': 'intake',
  '/api/recruitment-periods': 'intake',
  '/api/pnm/public': 'intake',
  '/api/name-assignments': 'intake',
  '/api/organizations/:organization_id/provisioning-config': 'intake',
  '/api/organizations/:organization_id/provisioning-records': 'intake',
  '/api/provisioning-records': 'intake',
  '/api/me/provisioned-account': 'intake',
  '/api/reference-letters': 'intake',
  '/api/processes': 'processes',
  '/api/console/summary': 'processes',
  '/api/files': 'organizations',
  '/api/socialnet': 'socialnet',
  // An accepting person becomes a member, which is outside of identity.
  '/api/auth/invitations': 'organizations',
  '/api/auth/me/invitations': 'organizations',
};

/** Words for the owner of an address do not name its area: the next word does, where an area has a folder of that name. */
const OWNERS = /^\/api\/(?:organizations\/:organization_id|chapters\/:id)\/([^/]+)/;

/** Areas whose addresses below an organization or a chapter, if any, are listed above. */
const HAVE_OWN_ADDRESSES = new Set(['forums', 'foundation', 'platform']);

/** Folders that are no word of the address, each with the reason. */
const OTHER_WORD: Record<string, string> = {
  '/giving/:foundation_id/pledges/:id/pause/': 'portal: the pledges of the donor who is signed in',
  '/giving/:foundation_id/pledges/:id/resume/': 'portal',
  '/giving/:foundation_id/pledges/:id/amount/': 'portal',
  '/giving/:foundation_id/pledges/:id/cancel/': 'portal',
  '/api/auth/token/refresh/': 'tokens: what begins, goes on and ends with a token is one resource',
  '/api/auth/logout/': 'tokens',
  '/api/auth/switch-organization/': 'tokens',
  '/api/auth/impersonate/': 'impersonation: the address is the verb',
  '/api/auth/impersonate/stop/': 'impersonation',
  '/api/console/summary/': 'processes, which has no folders: the address names the client',
  '/api/chapters/:id/members/': 'memberships: the address says whom, the row what they have',
  '/api/chapter-advisors/:id/': 'advisors: the address of one says whose',
  '/api/chapters/:id/succession/': 'officer-terms: who follows in them',
  '/api/forums/:forum_id/join/': 'members: the address is the verb',
  '/api/forums/:forum_id/membership/': 'members: one’s own',
  '/api/notifications/forum-subscriptions/': 'subscription: one’s own in all forums',
  '/api/billing/balance/': 'me: whoever asks sees their own',
  '/api/hq/dues/:organization_id/credit-shortfalls/': 'credit: where it went below zero',
  '/api/organizations/:organization_id/completeness-config/': 'Says what the addresses of completeness count.',
  '/api/organizations/:organization_id/provisioning-config/': 'provisioning: where accounts are made',
  '/api/organizations/:organization_id/provisioning-config/test/': 'provisioning',
  '/api/organizations/:organization_id/provisioning-records/': 'provisioning: the accounts',
  '/api/provisioning-records/:id/retry/': 'provisioning',
  '/api/me/provisioned-account/': 'provisioning: one’s own',
  '/api/me/provisioned-account/password/': 'provisioning',
  '/api/pnm/:id/attachments/:attachment_id/': 'pnm-applications: a file of one',
  '/api/pnm/:id/application/': 'pnm-applications: the last one of a prospective member',
  '/giving/:foundation_id/': 'portal: donors see this address, and a word that they know',
  '/giving/:foundation_id/details/': 'portal',
  '/giving/:foundation_id/gifts/': 'portal',
  '/giving/:foundation_id/links/': 'portal',
  '/giving/:foundation_id/links/:token/': 'portal',
  '/giving/:foundation_id/receipts/': 'portal',
  '/giving/:foundation_id/receipts/:id/pdf/': 'portal',
  '/giving/:foundation_id/sign-out/': 'portal',
  '/api/invoices/:id/pay/': 'invoice-payments: the hosted page, which is more than a verb of an invoice',
};

const folders = readdirSync(API, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\/\w*[rR]outes\.ts$/.test(file))
  .map((file) => ({ file, area: file.split('/')[0] as string, folder: path.basename(path.dirname(file)) }));

/** The folder of each route. */
const placeOf = new Map<Route, { area: string; folder: string }>();
beforeAll(async () => {
  for (const { file, area, folder } of folders)
    for (const exported of Object.values((await import(path.join(API, file))) as Record<string, unknown>))
      for (const route of Array.isArray(exported) ? (exported as Route[]) : []) placeOf.set(route, { area, folder });
});

function areaNamedBy(address: string): string | undefined {
  const [owned = '', word] = OWNERS.exec(address) ?? [];
  const fitting = Object.keys(BEGINNINGS).filter((start) => `${address}/`.startsWith(`${start}/`));
  const [longest = ''] = fitting.toSorted((one, two) => two.length - one.length);
  if (longest.length > owned.length) return BEGINNINGS[longest];
  const areas = new Set(
    folders.flatMap(({ area, folder }) => (folder === word && !HAVE_OWN_ADDRESSES.has(area) ? [area] : [])),
  );
  if (areas.size > 0) return [...areas].join(' and ');
  return BEGINNINGS[longest];
}

/** `rates` after `dues` may be `dues-rates`. */
function wordsOf(address: string): string[] {
  const words = address
    .split('/')
    .filter((word) => word && !word.startsWith(':'))
    .map((word) => word.replace('.', ''));
  return words.flatMap((word, at) => [word, ...words.slice(0, at).map((before) => `${before}-${word}`)]);
}

test('every address is in the area that its path names', () => {
  const strange = allRoutes
    .map((route) => ({ address: route.path, named: areaNamedBy(route.path), area: placeOf.get(route)?.area ?? 'http' }))
    .filter(({ named, area }) => named !== area);
  expect(strange).toEqual([]);
});

test('the folder of every address is a word of the address, or has a reason', () => {
  const strange = allRoutes.filter((route) => {
    const place = placeOf.get(route);
    return place && !wordsOf(route.path).includes(place.folder);
  });
  expect(new Set(strange.map((route) => route.path))).toEqual(new Set(Object.keys(OTHER_WORD)));
});
