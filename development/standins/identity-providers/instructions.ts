/** Instructions for the terminal: the commands to paste and the addresses to open, in order. */
import type { DemoFacts } from '../../demo/facts.js';

interface InstructionFacts {
  platformUrl: string;
  /** Undefined when no platform runs on this DATA_DIR. */
  organization: DemoFacts['organizations'][number] | undefined;
  email: string;
  openId: { slug: string; issuer: string; client: { id: string; secret: string } };
  saml: { slug: string; url: string };
  /** Whether a sign-in ends on this program's own landing page instead of the web client. */
  landing: boolean;
  frontendUrl: string;
}

const READ_TOKEN = `node -pe 'JSON.parse(fs.readFileSync(0)).access_token'`;

export function instructions({
  platformUrl,
  organization,
  email,
  openId,
  saml,
  landing,
  frontendUrl,
}: InstructionFacts): string {
  const admin = organization?.users.admin ?? { email: '<admin>', password: '<password>' };
  const configurations = `${platformUrl}/api/organizations/${organization?.id ?? '<organization>'}`;
  const json = `-H 'Content-Type: application/json'`;
  const bearer = `-H "Authorization: Bearer $TOKEN"`;
  const openIdBody = {
    provider: 'generic',
    name: 'OpenID on this machine',
    slug: openId.slug,
    issuer: openId.issuer,
    client_id: openId.client.id,
    client_secret: openId.client.secret,
    allowed_domains: [email.slice(email.indexOf('@') + 1)],
  };
  const end = landing
    ? 'Both sign-ins end on a page that shows who is signed in.'
    : `Both sign-ins end at ${frontendUrl}/auth/sso/callback?code=…, for the web client there.`;
  return `
OpenID provider         ${openId.issuer}
SAML identity provider  ${saml.url} (metadata: ${saml.url}/metadata)

1. Connect both once, as the organization's admin. The platform must run with SSO_ALLOW_PRIVATE_ADDRESSES=true:

TOKEN=$(curl -s ${platformUrl}/api/auth/login/ ${json} -H 'X-Client: native' \\
  -d '${JSON.stringify({ email: admin.email, password: admin.password })}' | ${READ_TOKEN})

curl -s ${configurations}/oauth-configurations/ ${json} ${bearer} \\
  -d '${JSON.stringify(openIdBody)}'

curl -s ${saml.url}/configuration | curl -s ${configurations}/saml-configurations/import/ ${json} ${bearer} -d @-

2. Open one in a browser and sign in with the address of any member, such as ${email}:

${platformUrl}/api/auth/sso/oauth/${openId.slug}/login/
${platformUrl}/api/auth/sso/saml/${saml.slug}/login/

${end} Add ?reauthenticate=true to make the providers ask again.

3. Test a SAML response without signing in (<id> is in the answer of the import):

curl -s ${saml.url}/response | curl -s ${configurations}/saml-configurations/<id>/test/ ${json} ${bearer} -d @-

Press Ctrl-C to stop both.`;
}
