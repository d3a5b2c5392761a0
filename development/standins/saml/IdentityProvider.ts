/** Reads and verifies SAML messages of the platform, and signs the responses. */
import * as samlify from 'samlify';
import { readMessage } from '../../../gateways/saml/message.js';
import { NAME_ID, NS } from '../../../gateways/saml/names.js';
import { childrenOf, escapeXml } from '../../../gateways/saml/xml.js';
import type { SignedIn } from './people.js';
import { EMAIL_OID, newId, responseXml, type SamlProvider, responseFieldsFor } from './provider.js';

type ServiceProvider = ReturnType<typeof samlify.ServiceProvider>;
type ParsedRequest = Awaited<ReturnType<SamlProvider['identityProvider']['parseLoginRequest']>>;

/** A message that cannot be answered. The text is shown on the page. */
export class UnanswerableMessage extends Error {
  override readonly name = 'NotAnswerable';
}

export interface SignInRequest {
  serviceProvider: ServiceProvider;
  relayState: string;
  forceAuthn: boolean;
  read: ParsedRequest;
}

/** A SAML response, and the address (`acsUrl`) to which a form in the browser posts it. */
export interface PostedResponse {
  acsUrl: string;
  response: string;
  relayState: string;
}

// Turns off schema validation of the platform's messages, because the platform's tests validate them. This stand-in
// checks signatures and addresses only.
const noValidation = { validate: async () => 'not validated' };

/** Returns the claimed issuer; the signature is verified afterwards. */
const issuerOf = (xml: string): string => childrenOf(readMessage(xml), NS.assertion, 'Issuer')[0]?.text.trim() ?? '';

export class IdentityProvider {
  /** @param platformUrl address of the platform; requests of service providers elsewhere are refused */
  constructor(
    private readonly provider: SamlProvider,
    private readonly platformUrl: string,
  ) {
    samlify.setSchemaValidator(noValidation);
  }

  /**
   * Reads and verifies a sign-in request of the platform.
   * @throws UnanswerableMessage
   */
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

  /**
   * Returns a response that answers no sign-in request. The platform accepts it only for a dry run, in which it signs
   * in no person.
   * @throws UnanswerableMessage
   */
  async respondUnsolicited(slug: string, person: SignedIn): Promise<string> {
    const serviceProvider = await this.serviceProvider(`${this.platformUrl}/api/auth/sso/saml/${slug}/metadata/`);
    const { response } = await this.respond(serviceProvider, person, { extract: { request: { id: newId() } } });
    return response;
  }

  private async respond(
    serviceProvider: ServiceProvider,
    person: SignedIn,
    request: Pick<ParsedRequest, 'extract'>,
  ): Promise<Omit<PostedResponse, 'relayState'>> {
    const acsUrl = String(serviceProvider.entityMeta.getAssertionConsumerService('post'));
    const { id: requestId } = request.extract['request'] as { id: string };
    const authnRequest = { requestId, acsUrl, spEntityId: serviceProvider.entityMeta.getEntityID() };
    const email = escapeXml(person.email);
    const fields = responseFieldsFor(this.provider, authnRequest, {
      nameId: email,
      nameIdFormat: NAME_ID.email,
      // States the current time (0 seconds from now) as the time of authentication, even if the person signed in
      // earlier. Keycloak does this too.
      authnInstant: 0,
      sessionIndex: person.sessionIndex,
      attributes: { [EMAIL_OID]: email },
    });
    const xml = responseXml(fields);
    const replaced = { customTagReplacement: () => ({ id: fields.responseId, context: xml }) };
    const { identityProvider } = this.provider;
    const { context } = await identityProvider.createLoginResponse(serviceProvider, request, 'post', {}, replaced);
    return { acsUrl, response: context };
  }

  /**
   * Verifies the platform's logout request.
   * @returns the person and session to sign out, and the address to which the browser takes the response.
   * @throws UnanswerableMessage
   */
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

  /**
   * Verifies the platform's response to a logout that began at this provider.
   * @throws UnanswerableMessage
   */
  async readSignedOut(url: URL): Promise<void> {
    const serviceProvider = await this.senderOf(url, 'SAMLResponse');
    const { identityProvider } = this.provider;
    await this.verified(() => identityProvider.parseLogoutResponse(serviceProvider, 'redirect', signedQuery(url)));
  }

  /**
   * Creates a logout request to the platform.
   * @returns the address at which the browser signs the person out of the platform as well
   */
  async signOutUrl(entityId: string, { email, sessionIndex }: SignedIn): Promise<string> {
    const serviceProvider = await this.serviceProvider(entityId);
    const { identityProvider } = this.provider;
    const who = { logoutNameID: email, nameID: email, sessionIndex };
    return identityProvider.createLogoutRequest(serviceProvider, 'redirect', who).context;
  }

  private async senderOf(url: URL, kind: 'SAMLRequest' | 'SAMLResponse'): Promise<ServiceProvider> {
    const message = url.searchParams.get(kind);
    if (!message) throw new UnanswerableMessage(`There is no ${kind}: start at the platform's login_url.`);
    return this.serviceProvider(await this.verified(async () => issuerOf(samlify.Utility.inflateString(message))));
  }

  /**
   * Returns a service provider by its entity id, which is the address of its metadata. Fetches it each time, so that a
   * new configuration is seen.
   */
  private async serviceProvider(entityId: string): Promise<ServiceProvider> {
    if (!entityId.startsWith(`${this.platformUrl}/`)) {
      throw new UnanswerableMessage(
        `This provider answers only ${this.platformUrl}, but the message comes from ${entityId}.`,
      );
    }
    const answer = await fetch(entityId);
    if (!answer.ok)
      throw new UnanswerableMessage(`${entityId} answered ${answer.status}: does the configuration exist?`);
    const metadata = await answer.text();
    return samlify.ServiceProvider({ metadata, wantLogoutRequestSigned: true, wantLogoutResponseSigned: true });
  }

  private async verified<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      throw new UnanswerableMessage(
        `The message cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

/** The signature covers the query string as it was sent, up to the signature itself. */
const signedQuery = (url: URL) => ({
  query: Object.fromEntries(url.searchParams),
  octetString: url.search.slice(1).split('&Signature=')[0] ?? '',
});
