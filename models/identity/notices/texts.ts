/** The words of each kind of mail about an account. */

/** One kind of notice. */
export interface NoticeWording {
  subject: string;
  /** Sentences, each a paragraph. */
  says: readonly string[];
  /**
   * Where the reader goes: a path of the front end, or with `isOwnPage` of the API. With `withSecret`, the secret is its `token`,
   * or stands where the path says `{secret}`, and what follows a dot in it where it says `{second}`.
   */
  link?: { label: string; path: string; withSecret?: boolean; isOwnPage?: boolean };
  /** Left out: what to do when it was somebody else. */
  ends?: string;
}

const SECURITY = { label: 'See your account', path: '/account/security' };
const IGNORE = 'If you did not ask for this, ignore this mail: nothing changes.';
const IGNORE_RESET = 'If nobody was to ask for this, ignore this mail: your password stays as it is.';
const PROCESSOR =
  'If you did not expect this, ask the other administrators: the audit log of your organization says who it was.';
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
    subject: 'The main e-mail address of your account was changed',
    says: ['mail about your account goes to another address from now on.'],
    link: SECURITY,
  },
  password_reset: {
    subject: 'Set a new password',
    says: ['a new password was asked for. The link holds for one hour, and once.'],
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
      'They will tell you the password; you choose your own when you sign in with it. After the time below it opens nothing',
      'any more: ask for another one then, or for a link to set your own.',
    ],
    ends: ASK,
  },
  password_withdrawn: {
    subject: 'Set a password of your own',
    says: [
      'your account is used by another organization from now on. As its password came from an administrator, it does',
      'not open it any more, nor does anything else that was set up with it. Ask for a new password at sign-in.',
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
    says: ['your account will be deleted in seven days. Until then you can take that back.'],
    link: { label: 'Keep the account', path: '/account/security' },
  },
  account_deletion_cancelled: {
    subject: 'Your account will not be deleted',
    says: ['the deletion of your account was taken back. Nothing was deleted.'],
    link: SECURITY,
  },
  account_deleted: {
    subject: 'Your account was deleted',
    says: ['your account and its personal data were deleted. Records of payments are kept as the law has it.'],
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
      'a passkey of your account was used in a way that suggests that there is a copy of it. It is not accepted any more.',
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
  payment_refund_failed: {
    subject: 'A refund did not arrive',
    says: [
      'a refund to somebody who paid your organization was refused or did not arrive: the money is in your account.',
      'What was paid with it counts as paid; what was for nothing is among the unmatched payments, for another decision.',
    ],
    ends: 'Every administrator of the organization gets this mail.',
  },
  invitation: {
    subject: 'You are invited',
    says: [
      'you are invited to join an organization. Nothing is done in your name before you accept. If you have an account',
      'with this address, the link connects it; if not, you choose a password there.',
    ],
    link: { label: 'Accept or decline', path: '/auth/invitation', withSecret: true },
    ends: 'If you do not know who invites you, decline, or ignore this mail: nothing happens.',
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
    subject: 'You were made an administrator',
    says: ['an organization that you belong to gave you an office.'],
    ends: ASK,
  },
  address_linked: {
    subject: 'An e-mail address was linked to your account',
    says: [
      'an administrator of your organization linked a further e-mail address to your account, as its reader had asked',
      'for. It can be used to sign in. If it is not yours, take it back within seven days: whoever has signed in since',
      'is signed out.',
    ],
    link: { label: 'This is not mine', path: '/organizations/{slug}/account-requests/undo', withSecret: true },
    ends: 'If the address is yours, there is nothing to do.',
  },
  address_unlinked: {
    subject: 'An e-mail address was removed from your account',
    says: [
      'an address that an organization had linked to your account was removed, and with it what was set up since. If you',
      'cannot sign in, ask for a new password.',
    ],
    link: { label: 'Set a new password', path: '/auth/forgot-password' },
    ends: ASK,
  },
  account_request_verification: {
    subject: 'Confirm your request for an account',
    says: [
      'an account was asked for with this address. Confirm within 24 hours that you have asked; it is looked at then.',
      'With the same link you take the request back, for as long as nobody has decided on it.',
    ],
    link: { label: 'Confirm the request', path: '/organizations/{slug}/account-requests/verify', withSecret: true },
    ends: IGNORE,
  },
  account_request_waiting: {
    subject: 'Your request for an account',
    says: ['an account was asked for with this address before. That request waits for a decision already.'],
    ends: IGNORE,
  },
  account_request_linked: {
    subject: 'Your request for an account was approved',
    says: ['you have an account already: this address was linked to it. Sign in with it, or set a new password.'],
    link: { label: 'Set a new password', path: '/auth/forgot-password' },
    ends: ASK,
  },
  account_request_owned: {
    subject: 'Your request for an account was approved',
    says: ['this address has an account of its own, which is left as it is: sign in with that.'],
    link: { label: 'Sign in', path: '/auth/login' },
    ends: ASK,
  },
  account_request_rejected: {
    subject: 'Your request for an account was declined',
    says: ['an administrator of the organization has looked at your request for an account, and declined it.'],
    ends: 'If you have questions, ask the organization.',
  },
  application_confirmation: {
    subject: 'Confirm your application',
    says: [
      'an application was sent with this address. Confirm within 48 hours that it is yours: it counts as confirmed from then on, and shows you how it goes on.',
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
    subject: 'Go on with your application',
    says: ['you have begun an application. With this link you go on where you were, for 30 days from its beginning.'],
    link: { label: 'Go on', path: '/apply/{slug}#draft={secret}', withSecret: true, isOwnPage: true },
    ends: IGNORE,
  },
  application_approved: {
    subject: 'Your application was approved',
    says: [
      'the chapter has looked at your application, and invites you to the next step. It will tell you how it goes on.',
    ],
    ends: 'If you have questions, ask the chapter.',
  },
  reference_letter_requested: {
    subject: 'Somebody asks you for a letter of reference',
    says: [
      'somebody who applies here has named you, and asks you for a letter of reference. The link leads to a page on which you',
      'write it, or say that you will not. It holds until the letter has come. The applicant never sees what you write.',
    ],
    link: REFERENCE_LETTER,
    ends: IGNORE,
  },
  reference_letter_reminder: {
    subject: 'A letter of reference is still waited for',
    says: [
      'you were asked for a letter of reference, which has not come yet. Any link that we have mailed you leads to it.',
    ],
    link: REFERENCE_LETTER,
    ends: 'If you do not want to write it, say so on that page, and we will not ask again.',
  },
  reference_letter_refused: {
    subject: 'Your letter of reference could not be taken',
    says: [
      'the file that you have sent is infected with something harmful. Nobody has read it, and it is removed. Look after your',
      'computer, and send the letter again, as another file or typed on the page. Any link that we have mailed you leads there.',
    ],
    link: REFERENCE_LETTER,
    ends: 'If you do not want to write it, say so on that page, and we will not ask again.',
  },
  application_file_refused: {
    subject: 'A file of your application could not be taken',
    says: [
      'a file that you have sent with your application is infected with something harmful. Nobody has read it, and it is removed.',
      'Look after your computer, and send another file: the page of your application says which one is missing.',
    ],
    ends: 'If you have questions, ask the organization.',
  },
  application_routed: {
    subject: 'An application came in',
    says: [
      'an application to a chapter was sent, changed or withdrawn. Whoever may read it finds it with the chapter.',
    ],
    ends: 'Your organization has named this address for such news.',
  },
  certificate_ending: {
    subject: 'A certificate for single sign-on ends soon',
    says: [
      "a certificate that your organization's identity provider signs with ends soon. Ask whoever runs the provider when",
      'it changes over, and add the new certificate to the connection beside the old one before it does.',
    ],
    ends: 'Every administrator of the organization gets this mail.',
  },
  metadata_unreadable: {
    subject: 'The metadata of your identity provider cannot be read',
    says: [
      "for some days the metadata of your organization's identity provider could not be taken over from its address.",
      'Sign-in goes on with the certificates that are there, until the provider changes to others.',
    ],
    ends: 'Every administrator of the organization gets this mail.',
  },
  mail_server_failing: {
    subject: 'Your mail server takes no mail',
    says: [
      "your organization's own mail server takes no mail from us. Its mail waits and is tried for a day; it goes by no other",
      'server. Look at its settings, and send a test.',
    ],
    ends: 'Every administrator of the organization gets this mail, by the server of the platform.',
  },
  impersonated: {
    subject: 'An administrator viewed your account',
    says: ['an administrator of your organization looked at the platform as you see it. They could change nothing.'],
    ends: ASK,
  },
} as const satisfies Record<string, NoticeWording>;
