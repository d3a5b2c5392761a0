/** The wording of each kind of mail about an account. */

/** The wording of one kind of notice. */
export interface NoticeWording {
  subject: string;
  /** The paragraphs of the mail. */
  says: readonly string[];
  /**
   * The target of the mail's link: a path of the front end, or of the API if `isOwnPage` is set. With `withSecret`, the
   * secret becomes the `token` parameter or replaces `{secret}` in the path. If the secret contains a dot, the part
   * after it replaces `{second}`.
   */
  link?: { label: string; path: string; withSecret?: boolean; isOwnPage?: boolean };
  /** The closing line. Default: what to do if another person caused the event. */
  ends?: string;
}

const SECURITY = { label: 'See your account', path: '/account/security' };
const IGNORE = 'If you did not request this, ignore this mail: nothing changes.';
const IGNORE_RESET = 'If nobody should have requested this, ignore this mail: your password stays as it is.';
const PROCESSOR =
  'If you did not expect this, ask the other administrators: the audit log of your organization shows who made the change.';
const REFERENCE_LETTER = {
  label: 'Write the letter',
  path: '/apply/{slug}/reference-letter/{secret}',
  withSecret: true,
  isOwnPage: true,
};
const ASK = 'If you did not expect this, ask an administrator of your organization.';

export const TEXTS = {
  email_verification: {
    subject: 'Confirm your e-mail address',
    says: ['this address was added to an account. Confirm that it is yours within 24 hours.'],
    link: { label: 'Confirm this address', path: '/auth/verify-email', withSecret: true },
    ends: IGNORE,
  },
  email_added: {
    subject: 'An e-mail address was added to your account',
    says: ['a further e-mail address was confirmed for your account. It can be used to sign in.'],
    link: SECURITY,
  },
  email_removed: {
    subject: 'An e-mail address was removed from your account',
    says: ['an e-mail address was removed from your account. It can no longer be used to sign in.'],
    link: SECURITY,
  },
  primary_email_changed: {
    subject: 'The primary e-mail address of your account was changed',
    says: ['from now on, mail about your account goes to another address.'],
    link: SECURITY,
  },
  password_reset: {
    subject: 'Set a new password',
    says: ['somebody requested a new password. The link is valid for one hour and can be used once.'],
    link: { label: 'Set a new password', path: '/auth/reset-password', withSecret: true },
    ends: IGNORE_RESET,
  },
  password_changed: {
    subject: 'Your password was changed',
    says: ['the password of your account was changed.'],
    link: SECURITY,
  },
  temporary_password: {
    subject: 'An administrator set a temporary password',
    says: [
      'an administrator of your organization set a temporary password for your account and ended all its sessions.',
      'They will tell you the password; you choose your own when you sign in with it. It expires at the time below. After',
      'that, ask for another one or for a link to set your own.',
    ],
    ends: ASK,
  },
  password_withdrawn: {
    subject: 'Set a password of your own',
    says: [
      'your account now also belongs to another organization. Its password was set by an administrator, so it is no longer valid',
      'and everything that was set up with it was removed. Request a new password at sign-in.',
    ],
    link: { label: 'Set a new password', path: '/auth/forgot-password' },
    ends: ASK,
  },
  account_disabled: {
    subject: 'Your account was disabled',
    says: ['your account was disabled. Nobody can sign in to it until it is enabled again.'],
    ends: ASK,
  },
  account_enabled: {
    subject: 'Your account was enabled',
    says: ['your account was enabled again. You can sign in.'],
    ends: ASK,
  },
  account_deletion_requested: {
    subject: 'Your account will be deleted',
    says: ['your account will be deleted in seven days. Until then you can cancel the deletion.'],
    link: { label: 'Keep the account', path: '/account/security' },
  },
  account_deletion_cancelled: {
    subject: 'Your account will not be deleted',
    says: ['the deletion of your account was cancelled. Nothing was deleted.'],
    link: SECURITY,
  },
  account_deleted: {
    subject: 'Your account was deleted',
    says: ['your account and its personal data were deleted. Payment records are kept as the law requires.'],
    ends: ASK,
  },
  new_device: {
    subject: 'Sign-in with a new device',
    says: ['somebody signed in to your account with a device that was not used before.'],
    link: SECURITY,
  },
  passkey_added: {
    subject: 'A passkey was added to your account',
    says: ['a passkey was added. It can be used to sign in.'],
    link: SECURITY,
  },
  passkey_removed: {
    subject: 'A passkey was removed from your account',
    says: ['a passkey was removed. It can no longer be used to sign in.'],
    link: SECURITY,
  },
  passkey_suspected: {
    subject: 'A passkey of your account was refused',
    says: [
      'a passkey of your account was used in a way that suggests that it was copied. It is no longer accepted.',
      'Sign in another way, remove it and set up a new one.',
    ],
    link: SECURITY,
  },
  sso_linked: {
    subject: 'Your account was linked to single sign-on',
    says: ["you can sign in through your organization's identity provider from now on."],
    link: SECURITY,
  },
  social_account_linked: {
    subject: 'A network account was linked to your account',
    says: ['an account of a professional network was linked to yours.'],
    link: SECURITY,
  },
  payment_processor_connected: {
    subject: 'A payment processor was connected',
    says: [
      'an administrator of your organization connected a payment processor. Payments go to its account from now on.',
    ],
    ends: PROCESSOR,
  },
  payment_processor_rotated: {
    subject: 'The secrets of a payment processor were changed',
    says: ['an administrator of your organization changed the key or the webhook secret of a payment processor.'],
    ends: PROCESSOR,
  },
  payment_processor_disabled: {
    subject: 'A payment processor was disabled',
    says: ['an administrator of your organization disabled a payment processor. It takes no new payments.'],
    ends: PROCESSOR,
  },
  foundation_role_given: {
    subject: 'Somebody was given a role in the foundation',
    says: [
      'a person was given a role in the foundation of your organization. An admin runs it; an editor reads its gifts.',
    ],
    ends: PROCESSOR,
  },
  foundation_role_changed: {
    subject: 'A role in the foundation was changed',
    says: ['the role of a person in the foundation of your organization was changed.'],
    ends: PROCESSOR,
  },
  foundation_role_ended: {
    subject: 'A role in the foundation ended',
    says: ['a person lost the role in the foundation of your organization.'],
    ends: PROCESSOR,
  },
  donor_email_changed: {
    subject: 'The e-mail address of your gifts was changed',
    says: [
      'the foundation to which you gave has changed the e-mail address of its donor. Receipts and other mail about these',
      'gifts go to another address from now on.',
    ],
    ends: 'If you did not ask for this, tell the foundation.',
  },
  payment_refund_failed: {
    subject: 'A refund did not arrive',
    says: [
      'a refund to a payer of your organization was refused or did not arrive: the money is in your account.',
      'Invoices that the payment covered stay paid; the rest is under Unmatched payments, where you can decide again.',
    ],
    ends: 'Every administrator of the organization gets this mail.',
  },
  payment_gift_refund_failed: {
    subject: 'A refund of a gift did not arrive',
    says: [
      'a refund to a donor of your foundation was refused or did not arrive: the money is in the foundation’s account.',
      'You can refund the gift again.',
    ],
    ends: 'Every admin of the foundation gets this mail.',
  },
  invitation: {
    subject: 'You are invited',
    says: [
      'you are invited to join an organization. Nothing happens in your name before you accept. If you have an account',
      'with this address, the link connects it; if not, you choose a password there.',
    ],
    link: { label: 'Accept or decline', path: '/auth/invitation', withSecret: true },
    ends: 'If you do not know the organization, decline or ignore this mail: nothing happens.',
  },
  invitation_accepted: {
    subject: 'You joined an organization',
    says: ['an invitation to an address of yours was accepted. The organization is connected with your account.'],
    link: SECURITY,
  },
  membership_added: {
    subject: 'You were added to a chapter',
    says: ['an organization that you belong to added you to a chapter.'],
    ends: ASK,
  },
  office_given: {
    subject: 'You are now an administrator',
    says: ['an organization that you belong to appointed you as an administrator.'],
    ends: ASK,
  },
  address_linked: {
    subject: 'An e-mail address was linked to your account',
    says: [
      'an administrator of your organization linked a further e-mail address to your account, because its owner requested',
      'it. The address can be used to sign in. If it is not yours, remove it within seven days: all sessions that were',
      'opened since will end.',
    ],
    link: { label: 'This is not mine', path: '/organizations/{slug}/account-requests/undo', withSecret: true },
    ends: 'If the address is yours, there is nothing to do.',
  },
  address_unlinked: {
    subject: 'An e-mail address was removed from your account',
    says: [
      'an address that an organization had linked to your account was removed, with everything that was set up since. If you',
      'cannot sign in, request a new password.',
    ],
    link: { label: 'Set a new password', path: '/auth/forgot-password' },
    ends: ASK,
  },
  account_request_verification: {
    subject: 'Confirm your request for an account',
    says: [
      'an account was requested with this address. Confirm the request within 24 hours; then an administrator reviews it.',
      'With the same link you can withdraw the request until it is decided.',
    ],
    link: { label: 'Confirm the request', path: '/organizations/{slug}/account-requests/verify', withSecret: true },
    ends: IGNORE,
  },
  account_request_waiting: {
    subject: 'Your request for an account',
    says: ['an account was requested with this address before. That request is still pending.'],
    ends: IGNORE,
  },
  account_request_linked: {
    subject: 'Your request for an account was approved',
    says: [
      'you already have an account, and this address was linked to it. Sign in with that account, or set a new password.',
    ],
    link: { label: 'Set a new password', path: '/auth/forgot-password' },
    ends: ASK,
  },
  account_request_owned: {
    subject: 'Your request for an account was approved',
    says: ['this address already has an account, which was not changed: sign in with that account.'],
    link: { label: 'Sign in', path: '/auth/login' },
    ends: ASK,
  },
  account_request_rejected: {
    subject: 'Your request for an account was declined',
    says: ['an administrator of the organization reviewed your request for an account and declined it.'],
    ends: 'If you have questions, ask the organization.',
  },
  donor_link: {
    subject: 'Sign in to your gifts',
    says: [
      'somebody asked to see the gifts that were made with this address. The link opens your own pages. It works once, for',
      '15 minutes.',
    ],
    link: { label: 'Sign in', path: '/giving/{foundation_id}/links/{secret}', withSecret: true, isOwnPage: true },
    ends: IGNORE,
  },
  application_confirmation: {
    subject: 'Confirm your application',
    says: [
      'an application was sent with this address. Confirm within 48 hours that it is yours. After that, the link shows you its status.',
    ],
    link: {
      label: 'Confirm the application',
      path: '/apply/{slug}/verify/{secret}#application={second}',
      withSecret: true,
      isOwnPage: true,
    },
    ends: IGNORE,
  },
  application_draft: {
    subject: 'Continue your application',
    says: ['you started an application. With this link you can continue it, for 30 days from its start.'],
    link: { label: 'Continue', path: '/apply/{slug}#draft={secret}', withSecret: true, isOwnPage: true },
    ends: IGNORE,
  },
  application_approved: {
    subject: 'Your application was approved',
    says: [
      'the chapter reviewed your application and invites you to the next step. The chapter will contact you about it.',
    ],
    ends: 'If you have questions, ask the chapter.',
  },
  reference_letter_requested: {
    subject: 'Somebody asks you for a letter of reference',
    says: [
      'an applicant named you and asks you for a letter of reference. The link opens a page on which you can write it or',
      'decline. The link is valid until we receive the letter. The applicant never sees what you write.',
    ],
    link: REFERENCE_LETTER,
    ends: IGNORE,
  },
  reference_letter_reminder: {
    subject: 'Reminder: your letter of reference',
    says: [
      'you were asked for a letter of reference, which we have not received yet. Any link that we mailed you opens the page.',
    ],
    link: REFERENCE_LETTER,
    ends: 'If you do not want to write it, decline on that page, and we will not ask again.',
  },
  reference_letter_refused: {
    subject: 'Your letter of reference was not accepted',
    says: [
      'the file that you sent contains malware. Nobody has read it, and it was removed. Check your',
      'computer, and send the letter again, as another file or typed on the page. Any link that we mailed you opens the page.',
    ],
    link: REFERENCE_LETTER,
    ends: 'If you do not want to write it, decline on that page, and we will not ask again.',
  },
  application_file_refused: {
    subject: 'A file of your application was not accepted',
    says: [
      'a file that you sent with your application contains malware. Nobody has read it, and it was removed.',
      'Check your computer, and send another file: the page of your application shows which one is missing.',
    ],
    ends: 'If you have questions, ask the organization.',
  },
  application_routed: {
    subject: 'An application came in',
    says: [
      'an application to a chapter was sent, changed or withdrawn. People with access find it on the page of the chapter.',
    ],
    ends: 'Your organization chose this address for such notices.',
  },
  certificate_ending: {
    subject: 'A certificate for single sign-on expires soon',
    says: [
      "a certificate that your organization's identity provider signs with expires soon. Ask the provider's operator when",
      'it changes to a new one, and add the new certificate to the connection beside the old one before that.',
    ],
    ends: 'Every administrator of the organization gets this mail.',
  },
  metadata_unreadable: {
    subject: 'The metadata of your identity provider cannot be read',
    says: [
      "for some days the metadata of your organization's identity provider could not be read from its address.",
      'Sign-in works with the stored certificates until the provider changes to others.',
    ],
    ends: 'Every administrator of the organization gets this mail.',
  },
  mail_server_failing: {
    subject: 'Your mail server does not accept mail',
    says: [
      "your organization's own mail server does not accept mail from us. We retry its mail for a day and use no other",
      'server. Check its settings and send a test email.',
    ],
    ends: 'Every administrator of the organization gets this mail, through the mail server of the platform.',
  },
  ledger_check_failed: {
    subject: 'A ledger check failed',
    says: [
      'the nightly check of an organization’s ledger failed: rows break a rule, or no row could be examined. The check lists',
      'the rules. Change nothing by hand, and send the address of the check to a developer.',
    ],
    link: { label: 'See the check', path: '/ledger-checks/{ledger_check_id}?organization={organization_id}' },
    ends: 'Every platform administrator gets this mail.',
  },
  impersonated: {
    subject: 'An administrator viewed your account',
    says: ['an administrator of your organization viewed the platform as you see it. They could not change anything.'],
    ends: ASK,
  },
} as const satisfies Record<string, NoticeWording>;
