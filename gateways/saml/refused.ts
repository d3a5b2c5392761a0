/** Why a message of an identity provider is refused: for the log and for dry runs, never for a browser. */
export const SAML_REFUSALS = [
  'malformed',
  'not_a_response',
  'status_not_success',
  'encrypted',
  'encryption_algorithm',
  'encryption_unprotected',
  'not_decryptable',
  'not_one_assertion',
  'signature_invalid',
  'wrong_issuer',
  'wrong_destination',
  'wrong_audience',
  'unknown_condition',
  'no_usable_confirmation',
  'wrong_recipient',
  'not_yet_valid',
  'expired',
  'wrong_in_response_to',
  'unsolicited',
  'no_authentication',
  'no_subject',
  'transient_subject',
  'unusable_text',
] as const;

export type SamlRefusalReason = (typeof SAML_REFUSALS)[number];

/** Problems of a signature: for the log and for dry runs. */
export const SIGNATURE_PROBLEMS = [
  'missing',
  'malformed',
  'algorithm',
  'digest_mismatch',
  'certificate_mismatch',
  'certificate_expired',
] as const;

export type SignatureProblem = (typeof SIGNATURE_PROBLEMS)[number];

export class SamlRefused extends Error {
  override readonly name = 'SamlRefused';

  /**
   * @param message details for the administrator of the connection
   * @param signatureProblem what is wrong with the signature; set only with the reason `signature_invalid`
   */
  constructor(
    readonly reason: SamlRefusalReason,
    message: string,
    readonly signatureProblem: SignatureProblem | null = null,
  ) {
    super(message);
  }
}
