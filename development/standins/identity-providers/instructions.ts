/** What to paste and what to open, in the order in which it is done. */
import type { DemoFacts } from '../../demo/facts.js';

interface Shown {
  platformUrl: string;
  /** Undefined: nothing runs on this DATA_DIR. */
  organization: DemoFacts['organizations'][number] | undefined;
  email: string;
  openId: { slug: string; issuer: string; client: { id: string; secret: string } };
  saml: { slug: string; url: string };
  /** Whether a page of ours is where sign-ins end. */
  landing: boolean;
  frontendUrl: string;
}

const READ_TOKEN = `node -pe 'JSON.parse(fs.readFileSync(0)).access_token'`;

export function instructions({ platformUrl, organization, email, openId, saml, landing, frontendUrl }: Shown): string {
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
    ? 'Both end on a page that says who is signed in.'
    : `Both end at ${frontendUrl}/auth/sso/callback?code=…, for the web client there.`;
  return `
OpenID provider         ${openId.issuer}
SAML identity provider  ${saml.url} (metadata: ${saml.url}/metadata)

1. Connect them, once, as the organization's admin; the platform has to run with SSO_ALLOW_PRIVATE_ADDRESSES=true:

TOKEN=$(curl -s ${platformUrl}/api/auth/login/ ${json} -H 'X-Client: native' \\
  -d '${JSON.stringify({ email: admin.email, password: admin.password })}' | ${READ_TOKEN})

curl -s ${configurations}/oauth-configurations/ ${json} ${bearer} \\
  -d '${JSON.stringify(openIdBody)}'

curl -s ${saml.url}/configuration | curl -s ${configurations}/saml-configurations/import/ ${json} ${bearer} -d @-

2. Open in a browser, and sign in with any address of a member, such as ${email}:

${platformUrl}/api/auth/sso/oauth/${openId.slug}/login/
${platformUrl}/api/auth/sso/saml/${saml.slug}/login/

${end} With ?reauthenticate=true the providers ask again.

3. Try a SAML response out without signing anybody in (<id> as the import answered it):

curl -s ${saml.url}/response | curl -s ${configurations}/saml-configurations/<id>/test/ ${json} ${bearer} -d @-

Ctrl-C stops both.`;
}
