/** What the stand-in reads and says: requests of the platform, verified, and signed answers to them. */
import * as samlify from 'samlify';
import { readMessage } from '../../../gateways/saml/message.js';
import { NAME_ID, NS } from '../../../gateways/saml/names.js';
import { childrenOf, escapeXml } from '../../../gateways/saml/xml.js';
import type { SignedIn } from './people.js';
import { EMAIL_OID, newId, responseXml, type SamlProvider, saidTo } from './provider.js';

type ServiceProvider = ReturnType<typeof samlify.ServiceProvider>;
type Read = Awaited<ReturnType<SamlProvider['identityProvider']['parseLoginRequest']>>;

/** A message that cannot be answered; says why, for whoever looks at the page. */
export class NotAnswerable extends Error {
  override readonly name = 'NotAnswerable';
}

export interface SignInRequest {
  serviceProvider: ServiceProvider;
  relayState: string;
  forceAuthn: boolean;
  read: Read;
}

/** Where a response goes, ready for a form. */
export interface PostedResponse {
  acsUrl: string;
  response: string;
  relayState: string;
}

// Whether messages follow the schema is the platform's tests' to ask; here signatures and addresses count.
const notValidated = { validate: async () => 'not validated' };

/** Whose message it says it is; the signature is verified afterwards. */
const issuerOf = (xml: string): string => childrenOf(readMessage(xml), NS.assertion, 'Issuer')[0]?.text.trim() ?? '';

export class IdentityProvider {
  /** @param platformUrl only its service providers are answered */
  constructor(
    private readonly provider: SamlProvider,
    private readonly platformUrl: string,
  ) {
    samlify.setSchemaValidator(notValidated);
  }

  /** @throws NotAnswerable */
  async readSignIn(url: URL): Promise<SignInRequest> {
    const serviceProvider = await this.senderOf(url, 'SAMLRequest');
    const read = await this.verified(() =>
      this.provider.identityProvider.parseLoginRequest(serviceProvider, 'redirect', signedQuery(url)),
    );
    const relayState = url.searchParams.get('RelayState') ?? '';
    return { serviceProvider, relayState, read, forceAuthn: /\sForceAuthn="(true|1)"/.test(read.samlContent) };
  }

  async answerSignIn({ serviceProvider, relayState, read }: SignInRequest, person: SignedIn): Promise<PostedResponse> {
    person.serviceProviders.add(serviceProvider.entityMeta.getEntityID());
    return { ...(await this.respond(serviceProvider, person, read)), relayState };
  }

  /** A response to a request that nobody made: the platform's dry run takes it, and signs nobody in. @throws NotAnswerable */
  async respondUnasked(slug: string, person: SignedIn): Promise<string> {
    const serviceProvider = await this.serviceProvider(`${this.platformUrl}/api/auth/sso/saml/${slug}/metadata/`);
    const { response } = await this.respond(serviceProvider, person, { extract: { request: { id: newId() } } });
    return response;
  }

  private async respond(
    serviceProvider: ServiceProvider,
    person: SignedIn,
    request: Pick<Read, 'extract'>,
  ): Promise<Omit<PostedResponse, 'relayState'>> {
    const acsUrl = String(serviceProvider.entityMeta.getAssertionConsumerService('post'));
    const { id: requestId } = request.extract['request'] as { id: string };
    const asked = { requestId, acsUrl, spEntityId: serviceProvider.entityMeta.getEntityID() };
    const email = escapeXml(person.email);
    const said = saidTo(this.provider, asked, {
      nameId: email,
      nameIdFormat: NAME_ID.email,
      // As Keycloak does, however long ago the person typed something.
      authnInstant: 0,
      sessionIndex: person.sessionIndex,
      attributes: { [EMAIL_OID]: email },
    });
    const xml = responseXml(said);
    const replaced = { customTagReplacement: () => ({ id: said.responseId, context: xml }) };
    const { identityProvider } = this.provider;
    const { context } = await identityProvider.createLoginResponse(serviceProvider, request, 'post', {}, replaced);
    return { acsUrl, response: context };
  }

  /** @returns who signs out, and where the browser goes with the answer. @throws NotAnswerable */
  async answerSignOut(url: URL): Promise<{ email: string; sessionIndex: string | undefined; location: string }> {
    const serviceProvider = await this.senderOf(url, 'SAMLRequest');
    const { identityProvider } = this.provider;
    const read = await this.verified(() =>
      identityProvider.parseLogoutRequest(serviceProvider, 'redirect', signedQuery(url)),
    );
    const relayState = url.searchParams.get('RelayState') ?? '';
    const { context } = identityProvider.createLogoutResponse(serviceProvider, { ...read }, 'redirect', { relayState });
    const sessionIndex = childrenOf(readMessage(read.samlContent), NS.protocol, 'SessionIndex')[0]?.text.trim();
    return { email: read.extract['nameID'] ?? '', sessionIndex, location: context };
  }

  /** Whether a sign-out that began here is done there. @throws NotAnswerable */
  async readSignedOut(url: URL): Promise<void> {
    const serviceProvider = await this.senderOf(url, 'SAMLResponse');
    const { identityProvider } = this.provider;
    await this.verified(() => identityProvider.parseLogoutResponse(serviceProvider, 'redirect', signedQuery(url)));
  }

  /** @returns where the browser goes so that the person is signed out there, too */
  async askToSignOut(entityId: string, { email, sessionIndex }: SignedIn): Promise<string> {
    const serviceProvider = await this.serviceProvider(entityId);
    const { identityProvider } = this.provider;
    const who = { logoutNameID: email, nameID: email, sessionIndex };
    return identityProvider.createLogoutRequest(serviceProvider, 'redirect', who).context;
  }

  private async senderOf(url: URL, kind: 'SAMLRequest' | 'SAMLResponse'): Promise<ServiceProvider> {
    const message = url.searchParams.get(kind);
    if (!message) throw new NotAnswerable(`There is no ${kind}: begin at the platform's login_url.`);
    return this.serviceProvider(await this.verified(async () => issuerOf(samlify.Utility.inflateString(message))));
  }

  /** Its metadata is at its entity id; read each time, so that one made anew is known. */
  private async serviceProvider(entityId: string): Promise<ServiceProvider> {
    if (!entityId.startsWith(`${this.platformUrl}/`)) {
      throw new NotAnswerable(`This is for ${this.platformUrl}, and the message comes from ${entityId}.`);
    }
    const answer = await fetch(entityId);
    if (!answer.ok) throw new NotAnswerable(`${entityId} answered ${answer.status}: is the configuration there?`);
    const metadata = await answer.text();
    return samlify.ServiceProvider({ metadata, wantLogoutRequestSigned: true, wantLogoutResponseSigned: true });
  }

  private async verified<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      throw new NotAnswerable(`The message cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** What was signed stands in the address as it was sent, before its signature. */
const signedQuery = (url: URL) => ({
  query: Object.fromEntries(url.searchParams),
  octetString: url.search.slice(1).split('&Signature=')[0] ?? '',
});
