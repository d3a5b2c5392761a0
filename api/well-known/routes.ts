/**
 * Files that name the apps and sites that share the passkeys of this domain (spec: Passkeys, 3). They declare nothing
 * else.
 */
import { z } from 'zod';
import { config } from '../../config.js';
import { refuse } from '../../models/errors.js';
import { androidApps, webOrigins } from '../../models/identity/passkeys/relyingParty.js';
import { Answer, get, type Route } from '../http/routes.js';

// Standards define these exact addresses, without a trailing slash.
const BASE_PATH = '/.well-known';
const common = { access: 'public' as const, throttle: [], tags: ['well-known'], errors: [refuse.not_found] };

/** Cached for an hour: apps ask rarely, and a change of configuration must not take days. */
function file<Body extends object>(isConfigured: boolean, body: Body): Promise<Answer<Body>> {
  if (!isConfigured) throw refuse.not_found();
  return Promise.resolve(new Answer(body, { headers: { 'Cache-Control': 'public, max-age=3600' } }));
}

export const wellKnownRoutes: Route[] = [
  get(
    `${BASE_PATH}/apple-app-site-association`,
    {
      ...common,
      summary: "Apple's apps that share passkeys with this domain",
      operationId: 'getAppleAppSiteAssociation',
      response: z
        .object({ webcredentials: z.object({ apps: z.array(z.string()) }) })
        .meta({ id: 'AppleAppSiteAssociation' }),
    },
    async () => file(config.APPLE_APP_IDS.length > 0, { webcredentials: { apps: config.APPLE_APP_IDS } }),
  ),

  get(
    `${BASE_PATH}/assetlinks.json`,
    {
      ...common,
      summary: 'Android apps that share passkeys with this domain',
      operationId: 'getAssetLinks',
      response: z
        .array(
          z.object({
            relation: z.array(z.string()),
            target: z.object({
              namespace: z.literal('android_app'),
              package_name: z.string(),
              sha256_cert_fingerprints: z.array(z.string()),
            }),
          }),
        )
        .meta({ id: 'AssetLinks' }),
    },
    async () =>
      file(
        config.ANDROID_APPS.length > 0,
        androidApps().map(({ packageName, fingerprints }) => ({
          relation: ['delegate_permission/common.get_login_creds'],
          target: {
            namespace: 'android_app' as const,
            package_name: packageName,
            sha256_cert_fingerprints: fingerprints,
          },
        })),
      ),
  ),

  get(
    `${BASE_PATH}/webauthn`,
    {
      ...common,
      summary: 'Other origins that may use the passkeys of this domain',
      description: 'Related origins (WebAuthn, 5.11).',
      operationId: 'getRelatedOrigins',
      response: z.object({ origins: z.array(z.string()) }).meta({ id: 'RelatedOrigins' }),
    },
    async () =>
      file(
        config.WEBAUTHN_ORIGINS.some((origin) => origin.startsWith('http')),
        { origins: webOrigins() },
      ),
  ),
];
