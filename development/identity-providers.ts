/**
 * Runs an OpenID provider and a SAML identity provider on this machine, to try sign-in by hand. Prints the values to
 * paste and the address to open. Development only.
 */
import { config } from '../config.js';
import { readCommandLine } from '../bin/commandLine.js';
import { readDemoFacts } from './demo/facts.js';
import { instructions } from './standins/identity-providers/instructions.js';
import { storedKeyPair } from './standins/identity-providers/storedKeyPair.js';
import { startLandingPage } from './standins/identity-providers/landingPage.js';
import { demoEmail } from './seeding/people.js';

const USAGE =
  'identity-providers [--slug <of the OpenID configuration>] [--saml-slug <of the SAML configuration>] [--email <address>] ' +
  '[--openid-port <port>] [--saml-port <port>]';

const OPTIONS = {
  slug: { type: 'string', default: 'local-openid' },
  'saml-slug': { type: 'string', default: 'local-saml' },
  email: { type: 'string' },
  'openid-port': { type: 'string', default: '12114' },
  'saml-port': { type: 'string', default: '12115' },
} as const;

async function main(): Promise<void> {
  const values = readCommandLine(USAGE, OPTIONS);
  if (config.production) throw new Error('These providers sign in anybody as anybody: they are for development only.');
  // The stand-ins need development packages, which a production install does not have.
  const { startOidcStandin } = await import('./standins/oidc/server.js');
  const { startSamlStandin } = await import('./standins/saml/server.js');
  const facts = readDemoFacts();
  const [organization] = facts?.organizations ?? [];
  const platformUrl = config.BACKEND_URL ? config.backendUrl : (facts?.base_url ?? config.backendUrl);
  const email = values.email ?? organization?.users.member.email ?? demoEmail('member', 'northern-star');
  const log = (line: string) => console.log(line);

  const client = {
    id: 'membership-platform',
    secret: 'a-secret-of-this-machine',
    redirectUri: `${platformUrl}/api/auth/sso/oauth/${values.slug}/callback/`,
  };
  const openId = await startOidcStandin({ port: Number(values['openid-port']), client, email, log });
  const keyPair = await storedKeyPair(config.dataDir);
  const samlOptions = {
    port: Number(values['saml-port']),
    keyPair,
    platformUrl,
    slug: values['saml-slug'],
    email,
    log,
  };
  const saml = await startSamlStandin(samlOptions);
  const landing = await startLandingPage(config.frontendUrl, platformUrl);

  const { slug, 'saml-slug': samlSlug } = values;
  const openIdConfiguration = { slug, issuer: openId.issuer, client };
  const samlConfiguration = { slug: samlSlug, url: saml.url };
  const shown = { platformUrl, organization, email, landing: landing !== null, frontendUrl: config.frontendUrl };
  console.log(instructions({ ...shown, openId: openIdConfiguration, saml: samlConfiguration }));
  const leave = async () => {
    await Promise.all([openId.close(), saml.close(), landing?.close()]);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void leave());
}

main().catch((error: NodeJS.ErrnoException & { port?: number }) => {
  const portInUse = `Port ${error.port} is in use; choose another with --openid-port or --saml-port.`;
  console.error(error.code === 'EADDRINUSE' ? portInUse : error.message);
  process.exit(1);
});
