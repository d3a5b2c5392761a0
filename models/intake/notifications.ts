/** Notifications of the intake: applications, reference letters, and name proposals and their decisions. */
import { defineNotifications } from '../notifications/types.js';

const assignment = {
  subject: 'pnm_name_assignment',
  path: '/name-assignments/{subject}',
  needsAccess: true,
  unknownMail: 'again',
  facts: 'name_assignment_facts',
} as const;

const application = {
  event: 'approval_requested',
  who: 'The recipients configured by the organization, else the officers of the chapter, else the admins',
  subject: 'pnm_application',
  path: '/applications/{subject}',
  needsAccess: true,
  unknownMail: 'again',
  action: null,
  facts: 'application_facts',
} as const;

const letter = {
  event: 'approval_requested',
  who: 'The people who are notified of applications to the chapter',
  subject: 'pnm_reference_letter',
  path: '/pnm/{pnm}',
  needsAccess: true,
  unknownMail: 'again',
  action: null,
  recipients: 'letter_recipients',
  facts: 'letter_facts',
} as const;

export const notifications = defineNotifications({
  pnm_application_received: {
    ...application,
    cause: 'application_received',
    recipients: 'application_received_recipients',
    title: 'New application to {chapter}',
    body: '{person} has applied to {chapter}.',
    action: 'View application',
  },
  pnm_application_replaced: {
    ...application,
    cause: 'application_replaced',
    recipients: 'application_replaced_recipients',
    title: 'An application to {chapter} was changed',
    body: '{person} has submitted their application again.',
  },
  pnm_application_withdrawn: {
    ...application,
    cause: 'application_withdrawn',
    recipients: 'application_withdrawn_recipients',
    title: 'An application to {chapter} was withdrawn',
    body: '{person} has withdrawn their application to {chapter}.',
  },
  pnm_letter_received: {
    ...letter,
    cause: 'received',
    title: 'Letter about {person} received',
    body: '{referee} has written a letter about {person}.',
  },
  pnm_letter_missing: {
    ...letter,
    cause: 'missing',
    title: 'No letter about {person} will arrive',
    body: 'The letter from {referee} about {person} will not arrive: the request is {became}. Ask another person, or waive the letter.',
  },
  pnm_name_pending: {
    ...assignment,
    event: 'approval_requested',
    who: 'The admins of the organization, except the person who proposed it',
    cause: 'requested',
    title: '{chapter} proposes a name',
    body: 'The proposed name for {person} is {name}. If you approve it, they cross.',
    action: 'Decide',
    recipients: 'name_assignment_deciders',
  },
  pnm_name_decided: {
    ...assignment,
    event: 'request_decided',
    who: 'The person who proposed it',
    cause: 'decided',
    title: 'The name {name} was {decision}',
    body: '{name} for {person} of {chapter} was {decision}.{notes}',
    action: null,
    recipients: 'name_assignment_requester',
  },
});
